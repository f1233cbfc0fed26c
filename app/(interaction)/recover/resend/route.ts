import { getContext } from '#lib/server/compose/context'
import { answerRecoverResend } from '#lib/sign-in/recovery/recover'

export const POST = async (request: Request) => answerRecoverResend(await getContext(), request)
