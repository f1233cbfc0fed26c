import { answerAppRegistration } from '#lib/console/app/register-app'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAppRegistration(await getContext(), request)
