import { answerTrialStart } from '#lib/console/trial/start-trial'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerTrialStart(await getContext(), request)
