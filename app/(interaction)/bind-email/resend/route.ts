import { answerResendEmail } from '#lib/flow/bind-email'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerResendEmail(await getContext(), request)
