import { getContext } from '#lib/server/compose/process-context'
import { answerPasskeyRename } from '#lib/sign-in/passkey/manage-passkeys'

export const POST = async (request: Request) => answerPasskeyRename(await getContext(), request)
