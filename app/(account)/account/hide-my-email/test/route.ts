import { getContext } from '#lib/context'
import { answerAliasTest } from '#lib/self-service/hide-my-email'

export const POST = async (request: Request) => answerAliasTest(await getContext(), request)
