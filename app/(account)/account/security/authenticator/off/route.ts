import { getContext } from '#lib/server/compose/process-context'
import { answerAuthenticatorOff } from '#lib/sign-in/authenticator/switch-authenticator'

export const POST = async (request: Request) => answerAuthenticatorOff(await getContext(), request)
