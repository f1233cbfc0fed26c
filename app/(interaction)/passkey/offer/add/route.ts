import { getContext } from '#lib/server/compose/process-context'
import { answerOfferedPasskey } from '#lib/sign-in/passkey/offer-passkey'

export const POST = async (request: Request) => answerOfferedPasskey(await getContext(), request)
