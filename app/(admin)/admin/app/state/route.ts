import { answerOperatorAppState } from '#lib/admin/teams/app-state'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerOperatorAppState(await getContext(), request)
