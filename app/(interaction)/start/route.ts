import { answerStart } from '#lib/flow/authorize'
import { getContext } from '#lib/server/compose/process-context'

export const GET = async (request: Request) => answerStart(await getContext(), request)
