import { getContext } from '#lib/context'
import { answerPasskeyOptions } from '#lib/journey/passkey-options'

export const POST = async (request: Request) => answerPasskeyOptions(await getContext(), request)
