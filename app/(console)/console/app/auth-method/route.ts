import { answerAuthMethod } from '#lib/console/app/auth-method'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAuthMethod(await getContext(), request)
