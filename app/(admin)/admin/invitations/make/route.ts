import { answerInvitationMaking } from '#lib/admin/invitations/invitations'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerInvitationMaking(await getContext(), request)
