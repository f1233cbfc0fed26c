import { answerKeep } from '#lib/account/data/delete-account'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerKeep(await getContext(), request)
