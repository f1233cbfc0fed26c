import { answerRegistrationTokenMaking } from '#lib/console/tokens/registration-token'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerRegistrationTokenMaking(await getContext(), request)
