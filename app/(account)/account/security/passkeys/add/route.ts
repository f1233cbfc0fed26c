import { getContext } from '#lib/context'
import { answerPasskeyAdd } from '#lib/self-service/passkeys'

export const POST = async (request: Request) => answerPasskeyAdd(await getContext(), request)
