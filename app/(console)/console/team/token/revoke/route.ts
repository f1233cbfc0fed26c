import { answerTokenRevocation } from '#lib/console/tokens/team-token'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerTokenRevocation(await getContext(), request)
