import { getContext } from '#lib/context'
import { answerPasskeyRename } from '#lib/self-service/passkeys'

export const POST = async (request: Request) => answerPasskeyRename(await getContext(), request)
