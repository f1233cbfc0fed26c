import { answerConfirmation } from '#lib/account/email/confirm-address'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerConfirmation(await getContext(), request)
