import { getContext } from '#lib/context'
import { answerSignIn } from '#lib/journey/sign-in'

export const POST = async (request: Request) => answerSignIn(await getContext(), request)
