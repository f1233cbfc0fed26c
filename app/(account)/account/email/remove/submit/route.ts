import { answerAddressRemoval } from '#lib/account/email/change-address'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerAddressRemoval(await getContext(), request)
