import { getContext } from '#lib/context'
import { answerChoice } from '#lib/journey/choose-account'

export const POST = async (request: Request) => answerChoice(await getContext(), request)
