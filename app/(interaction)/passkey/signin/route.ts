import { getContext } from '#lib/server/compose/process-context'
import { answerPasskeySignIn } from '#lib/sign-in/passkey/passkey-sign-in'

export const POST = async (request: Request) => answerPasskeySignIn(await getContext(), request)
