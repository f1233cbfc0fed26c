import { getContext } from '#lib/context'
import { answerAddressRemoval } from '#lib/self-service/email'

export const POST = async (request: Request) => answerAddressRemoval(await getContext(), request)
