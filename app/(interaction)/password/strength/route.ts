import { getContext } from '#lib/server/compose/process-context'
import { answerStrength } from '#lib/sign-in/password/strength/answer-strength'

export const POST = async (request: Request) => answerStrength(await getContext(), request)
