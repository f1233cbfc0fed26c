import { answerNewAppEmail } from '#lib/account/hide-my-email/choose-new-app-email'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerNewAppEmail(await getContext(), request)
