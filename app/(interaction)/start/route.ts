import { getContext } from '#lib/context'
import { answerStart } from '#lib/journey/start'

export const GET = async (request: Request) => answerStart(await getContext(), request)
