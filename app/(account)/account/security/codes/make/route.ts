import { getContext } from '#lib/context'
import { answerCodesMake } from '#lib/self-service/recovery-codes'

export const POST = async (request: Request) => answerCodesMake(await getContext(), request)
