import { answerAppDeletion } from '#lib/console/app/app-state'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAppDeletion(await getContext(), request)
