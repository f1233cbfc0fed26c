import { getContext } from '#lib/context'
import { answerRecoverReview } from '#lib/journey/recovery-review'

export const POST = async (request: Request) => answerRecoverReview(await getContext(), request)
