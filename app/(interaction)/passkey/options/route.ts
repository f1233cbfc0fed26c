import { getContext } from '#lib/server/compose/context'
import { answerPasskeyOptions } from '#lib/sign-in/passkey-options'

export const POST = async (request: Request) => answerPasskeyOptions(await getContext(), request)
