import { getContext } from '#lib/context'
import { answerBindEmail } from '#lib/journey/bind-email'

export const POST = async (request: Request) => answerBindEmail(await getContext(), request)
