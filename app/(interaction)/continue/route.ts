import { answerContinue } from '#lib/flow/continue'
import { getContext } from '#lib/server/compose/process-context'

export const GET = async (request: Request) => answerContinue(await getContext(), request)
