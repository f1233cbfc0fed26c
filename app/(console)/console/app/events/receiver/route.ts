import { answerReceiver } from '#lib/console/events/receiver'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerReceiver(await getContext(), request)
