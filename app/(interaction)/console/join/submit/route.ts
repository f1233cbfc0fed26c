import { answerJoin } from '#lib/console/team/invitations'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerJoin(await getContext(), request)
