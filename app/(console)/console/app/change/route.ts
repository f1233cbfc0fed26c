import { answerAppChange } from '#lib/console/app/change-app'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAppChange(await getContext(), request)
