import { getContext } from '#lib/server/compose/process-context'
import { answerRecoverVerify } from '#lib/sign-in/recovery/recover'

export const POST = async (request: Request) => answerRecoverVerify(await getContext(), request)
