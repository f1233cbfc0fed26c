import { getContext } from '#lib/context'
import { answerAliasChoice } from '#lib/self-service/hide-my-email'

export const POST = async (request: Request) => answerAliasChoice(await getContext(), request)
