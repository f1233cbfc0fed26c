import { getContext } from '#lib/context'
import { answerPasskeyRemove } from '#lib/self-service/passkeys'

export const POST = async (request: Request) => answerPasskeyRemove(await getContext(), request)
