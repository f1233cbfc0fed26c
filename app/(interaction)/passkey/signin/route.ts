import { getContext } from '#lib/context'
import { answerPasskeySignIn } from '#lib/journey/passkey-sign-in'

export const POST = async (request: Request) => answerPasskeySignIn(await getContext(), request)
