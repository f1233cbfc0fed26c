import { answerRegistrationTokenRevocation } from '#lib/console/tokens/registration-token'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerRegistrationTokenRevocation(await getContext(), request)
