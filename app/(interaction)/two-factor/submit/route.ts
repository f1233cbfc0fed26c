import { getContext } from '#lib/server/compose/process-context'
import { answerTwoFactor } from '#lib/sign-in/second-factor/answer-second-factor'

export const POST = async (request: Request) => answerTwoFactor(await getContext(), request)
