import { getContext } from '#lib/server/compose/process-context'
import { answerSignOut } from '#lib/sign-in/sign-out'

export const POST = async (request: Request) => answerSignOut(await getContext(), request)
