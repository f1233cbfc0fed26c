import { getContext } from '#lib/server/compose/process-context'
import { answerRecoverByCode } from '#lib/sign-in/recovery/recover-by-code'

export const POST = async (request: Request) => answerRecoverByCode(await getContext(), request)
