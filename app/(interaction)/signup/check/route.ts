import { getContext } from '#lib/context'
import { answerNameCheck } from '#lib/journey/check-name'

export const GET = async (request: Request) => answerNameCheck(await getContext(), request)
