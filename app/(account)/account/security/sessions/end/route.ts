import { getContext } from '#lib/context'
import { answerSessionEnd } from '#lib/self-service/sessions'

export const POST = async (request: Request) => answerSessionEnd(await getContext(), request)
