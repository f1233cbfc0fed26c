import { answerNewTeam } from '#lib/console/team/create-team'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerNewTeam(await getContext(), request)
