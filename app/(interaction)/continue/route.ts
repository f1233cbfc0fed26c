import { getContext } from '#lib/context'
import { answerContinue } from '#lib/journey/continue'

export const GET = async (request: Request) => answerContinue(await getContext(), request)
