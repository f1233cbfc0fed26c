import { getContext } from '#lib/server/compose/process-context'
import { answerSignIn } from '#lib/sign-in/sign-in-with-password'

export const POST = async (request: Request) => answerSignIn(await getContext(), request)
