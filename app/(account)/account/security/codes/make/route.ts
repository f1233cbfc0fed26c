import { getContext } from '#lib/server/compose/process-context'
import { answerCodesMake } from '#lib/sign-in/recovery-codes/make-codes'

export const POST = async (request: Request) => answerCodesMake(await getContext(), request)
