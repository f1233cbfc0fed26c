import { answerAppOffer } from '#lib/console/transfer/offer-app'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAppOffer(await getContext(), request)
