import { answerSessionsOthers } from '#lib/account/sessions/end-sessions'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerSessionsOthers(await getContext(), request)
