import { answerKeep } from '#lib/account/data/delete-account'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerKeep(await getContext(), request)
