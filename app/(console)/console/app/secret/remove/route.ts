import { answerSecretRemoval } from '#lib/console/app/credentials'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerSecretRemoval(await getContext(), request)
