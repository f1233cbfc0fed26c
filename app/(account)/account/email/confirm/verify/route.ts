import { getContext } from '#lib/context'
import { answerConfirmation } from '#lib/self-service/confirm-address'

export const POST = async (request: Request) => answerConfirmation(await getContext(), request)
