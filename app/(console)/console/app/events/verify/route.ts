import { answerReceiverVerification } from '#lib/console/events/deliveries'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerReceiverVerification(await getContext(), request)
