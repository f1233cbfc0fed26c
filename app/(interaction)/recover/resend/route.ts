import { getContext } from '#lib/server/compose/process-context'
import { answerRecoverResend } from '#lib/sign-in/recovery/recover'

export const POST = async (request: Request) => answerRecoverResend(await getContext(), request)
