import { answerOfferRefusal } from '#lib/console/transfer/receive-app'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerOfferRefusal(await getContext(), request)
