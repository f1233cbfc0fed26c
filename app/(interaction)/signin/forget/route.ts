import { getContext } from '#lib/server/compose/process-context'
import { answerForget } from '#lib/sign-in/remembered/remembered-accounts'

export const POST = async (request: Request) => answerForget(await getContext(), request)
