import { getContext } from '#lib/context'
import { answerResendEmail } from '#lib/journey/bind-email'

export const POST = async (request: Request) => answerResendEmail(await getContext(), request)
