import { getContext } from '#lib/server/compose/process-context'
import { answerPasskeyAdd } from '#lib/sign-in/passkey/manage-passkeys'

export const POST = async (request: Request) => answerPasskeyAdd(await getContext(), request)
