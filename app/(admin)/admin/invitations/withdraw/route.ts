import { answerInvitationWithdrawal } from '#lib/admin/invitations/invitations'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerInvitationWithdrawal(await getContext(), request)
