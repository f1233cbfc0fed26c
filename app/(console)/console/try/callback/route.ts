import { answerTrialCallback } from '#lib/console/trial/finish-trial'
import { getContext } from '#lib/server/compose/process-context'

export const GET = async (request: Request) => answerTrialCallback(await getContext(), request)
