import { answerEventReplay } from '#lib/console/events/deliveries'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerEventReplay(await getContext(), request)
