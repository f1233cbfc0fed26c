import { getContext } from '#lib/context'
import { answerRecoverFinish } from '#lib/journey/recover-password'

export const POST = async (request: Request) => answerRecoverFinish(await getContext(), request)
