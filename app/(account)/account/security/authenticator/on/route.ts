import { getContext } from '#lib/server/compose/process-context'
import { answerAuthenticatorOn } from '#lib/sign-in/authenticator/switch-authenticator'

export const POST = async (request: Request) => answerAuthenticatorOn(await getContext(), request)
