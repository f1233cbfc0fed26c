import { getContext } from '#lib/context'
import { answerRecoverResend } from '#lib/journey/recover'

export const POST = async (request: Request) => answerRecoverResend(await getContext(), request)
