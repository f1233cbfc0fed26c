import { getContext } from '#lib/context'
import { answerPasswordChange } from '#lib/self-service/password'

export const POST = async (request: Request) => answerPasswordChange(await getContext(), request)
