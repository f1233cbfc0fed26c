import { answerTeamRename } from '#lib/console/team/rename-team'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerTeamRename(await getContext(), request)
