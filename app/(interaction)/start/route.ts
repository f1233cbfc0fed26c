import { answerStart } from '#lib/flow/start'
import { getContext } from '#lib/server/compose/context'

export const GET = async (request: Request) => answerStart(await getContext(), request)
