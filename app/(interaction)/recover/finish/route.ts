import { getContext } from '#lib/server/compose/process-context'
import { answerRecoverFinish } from '#lib/sign-in/recovery/reset-password'

export const POST = async (request: Request) => answerRecoverFinish(await getContext(), request)
