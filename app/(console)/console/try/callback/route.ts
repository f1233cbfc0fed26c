import { answerTrialCallback } from '#lib/console/trial/finish-trial'
import { getContext } from '#lib/server/compose/context'

export const GET = async (request: Request) => answerTrialCallback(await getContext(), request)
