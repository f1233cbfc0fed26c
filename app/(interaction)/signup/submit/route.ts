import { getContext } from '#lib/server/compose/process-context'
import { answerSignUp } from '#lib/sign-in/sign-up/sign-up'

export const POST = async (request: Request) => answerSignUp(await getContext(), request)
