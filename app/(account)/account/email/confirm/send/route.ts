import { answerConfirmationSend } from '#lib/account/email/confirm-address'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerConfirmationSend(await getContext(), request)
