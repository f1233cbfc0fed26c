import { answerSessionsOthers } from '#lib/account/sessions/end-sessions'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerSessionsOthers(await getContext(), request)
