import { getContext } from '#lib/server/compose/process-context'
import { answerCodesKept } from '#lib/sign-in/recovery-codes/make-codes'

export const POST = async (request: Request) => answerCodesKept(await getContext(), request)
