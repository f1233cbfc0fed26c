import { answerVerifyEmail } from '#lib/flow/bind-email'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerVerifyEmail(await getContext(), request)
