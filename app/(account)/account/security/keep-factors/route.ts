import { answerKeepFactors } from '#lib/admin/people/factor-reset'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerKeepFactors(await getContext(), request)
