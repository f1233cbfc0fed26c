import { answerReceiver } from '#lib/console/events/receiver'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerReceiver(await getContext(), request)
