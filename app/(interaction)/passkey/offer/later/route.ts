import { getContext } from '#lib/server/compose/process-context'
import { answerOfferLater } from '#lib/sign-in/passkey/offer-passkey'

export const POST = async (request: Request) => answerOfferLater(await getContext(), request)
