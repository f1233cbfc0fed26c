import { getContext } from '#lib/context'
import { answerVerifyEmail } from '#lib/journey/bind-email'

export const POST = async (request: Request) => answerVerifyEmail(await getContext(), request)
