import { getContext } from '#lib/server/compose/process-context'
import { answerPasswordChange } from '#lib/sign-in/password/change-password'

export const POST = async (request: Request) => answerPasswordChange(await getContext(), request)
