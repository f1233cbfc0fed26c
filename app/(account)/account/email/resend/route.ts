import { getContext } from '#lib/context'
import { answerAddressResend } from '#lib/self-service/email'

export const POST = async (request: Request) => answerAddressResend(await getContext(), request)
