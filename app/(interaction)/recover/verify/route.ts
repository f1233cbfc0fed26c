import { getContext } from '#lib/context'
import { answerRecoverVerify } from '#lib/journey/recover'

export const POST = async (request: Request) => answerRecoverVerify(await getContext(), request)
