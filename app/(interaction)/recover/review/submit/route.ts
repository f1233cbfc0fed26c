import { getContext } from '#lib/server/compose/process-context'
import { answerRecoverReview } from '#lib/sign-in/recovery/recovery-review'

export const POST = async (request: Request) => answerRecoverReview(await getContext(), request)
