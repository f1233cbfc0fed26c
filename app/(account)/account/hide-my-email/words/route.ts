import { answerAliasWords } from '#lib/account/hide-my-email/describe-alias'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAliasWords(await getContext(), request)
