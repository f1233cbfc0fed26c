import { getContext } from '#lib/context'
import { answerAuthenticatorOn } from '#lib/self-service/authenticator'

export const POST = async (request: Request) => answerAuthenticatorOn(await getContext(), request)
