import { answerChoice } from '#lib/flow/choose-account'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerChoice(await getContext(), request)
