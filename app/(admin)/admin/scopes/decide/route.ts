import { answerScopeDecision } from '#lib/admin/scopes/decide-scopes'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerScopeDecision(await getContext(), request)
