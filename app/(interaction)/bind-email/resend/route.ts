import { answerResendEmail } from '#lib/flow/bind-email'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerResendEmail(await getContext(), request)
