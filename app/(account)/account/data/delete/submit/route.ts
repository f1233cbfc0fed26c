import { answerDeletion } from '#lib/account/data/delete-account'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerDeletion(await getContext(), request)
