import { getContext } from '#lib/server/compose/process-context'
import { answerPasskeyOptions } from '#lib/sign-in/passkey-options'

export const POST = async (request: Request) => answerPasskeyOptions(await getContext(), request)
