import { answerAliasDeletion } from '#lib/account/hide-my-email/change-alias'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAliasDeletion(await getContext(), request)
