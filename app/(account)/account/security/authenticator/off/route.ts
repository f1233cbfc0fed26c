import { getContext } from '#lib/context'
import { answerAuthenticatorOff } from '#lib/self-service/authenticator'

export const POST = async (request: Request) => answerAuthenticatorOff(await getContext(), request)
