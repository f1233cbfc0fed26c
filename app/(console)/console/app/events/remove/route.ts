import { answerReceiverRemoval } from '#lib/console/events/receiver'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerReceiverRemoval(await getContext(), request)
