import { getContext } from '#lib/context'
import { answerAddressCode } from '#lib/self-service/email'

export const POST = async (request: Request) => answerAddressCode(await getContext(), request)
