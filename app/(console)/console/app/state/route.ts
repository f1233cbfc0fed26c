import { answerAppState } from '#lib/console/app/app-state'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAppState(await getContext(), request)
