import { answerChoice } from '#lib/flow/choose-account'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerChoice(await getContext(), request)
