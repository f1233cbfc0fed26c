import { answerMemberRole } from '#lib/console/team/members'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerMemberRole(await getContext(), request)
