import { answerAddressCode } from '#lib/account/email/change-address'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAddressCode(await getContext(), request)
