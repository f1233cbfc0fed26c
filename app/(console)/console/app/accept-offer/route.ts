import { answerOfferAcceptance } from '#lib/console/transfer/receive-app'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerOfferAcceptance(await getContext(), request)
