import { getContext } from '#lib/context'
import { answerConfirmationSend } from '#lib/self-service/confirm-address'

export const POST = async (request: Request) => answerConfirmationSend(await getContext(), request)
