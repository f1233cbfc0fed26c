import { getContext } from '#lib/context'
import { answerTwoFactor } from '#lib/journey/two-factor'

export const POST = async (request: Request) => answerTwoFactor(await getContext(), request)
