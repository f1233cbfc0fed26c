import { getContext } from '#lib/context'
import { answerCodesKept } from '#lib/self-service/recovery-codes'

export const POST = async (request: Request) => answerCodesKept(await getContext(), request)
