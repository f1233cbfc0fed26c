import { getContext } from '#lib/server/compose/process-context'
import { answerPasskeyRemove } from '#lib/sign-in/passkey/manage-passkeys'

export const POST = async (request: Request) => answerPasskeyRemove(await getContext(), request)
