import { answerOperatorTeamState } from '#lib/admin/teams/close-and-open'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerOperatorTeamState(await getContext(), request)
