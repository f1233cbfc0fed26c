import { getContext } from '#lib/context'
import { answerSessionsOthers } from '#lib/self-service/sessions'

export const POST = async (request: Request) => answerSessionsOthers(await getContext(), request)
