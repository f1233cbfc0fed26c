import { getContext } from '#lib/context'
import { answerSignUp } from '#lib/journey/sign-up'

export const POST = async (request: Request) => answerSignUp(await getContext(), request)
