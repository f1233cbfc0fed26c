import { answerInvite } from '#lib/console/team/invitations'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerInvite(await getContext(), request)
