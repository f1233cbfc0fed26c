import { answerOfferWithdrawal } from '#lib/console/transfer/offer-app'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerOfferWithdrawal(await getContext(), request)
