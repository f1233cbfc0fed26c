import { answerReturn } from '#lib/flow/answer-app'
import { getContext } from '#lib/server/compose/context'

export const GET = async (request: Request) => answerReturn(await getContext(), request)
