import { answerNewAddress } from '#lib/account/email/change-address'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerNewAddress(await getContext(), request)
