import { getContext } from '#lib/context'
import { answerAliasSwitch } from '#lib/self-service/hide-my-email'

export const POST = async (request: Request) => answerAliasSwitch(await getContext(), request)
