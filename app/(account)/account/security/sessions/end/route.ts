import { answerSessionEnd } from '#lib/account/sessions/end-sessions'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerSessionEnd(await getContext(), request)
