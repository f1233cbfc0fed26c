import { getContext } from '#lib/context'
import { answerNewAddress } from '#lib/self-service/email'

export const POST = async (request: Request) => answerNewAddress(await getContext(), request)
