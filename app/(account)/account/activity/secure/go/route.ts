import { answerSecureStep } from '#lib/account/activity/secure-steps'
import { getContext } from '#lib/server/compose/process-context'

export const GET = async (request: Request) => answerSecureStep(await getContext(), request)
