import { getContext } from '#lib/server/compose/process-context'
import { answerNameCheck } from '#lib/sign-in/sign-up/check-name'

export const GET = async (request: Request) => answerNameCheck(await getContext(), request)
