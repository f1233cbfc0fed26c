import { answerReturn } from '#lib/flow/answer-app'
import { getContext } from '#lib/server/compose/process-context'

export const GET = async (request: Request) => answerReturn(await getContext(), request)
