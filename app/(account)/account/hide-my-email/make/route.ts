import { answerAliasMaking } from '#lib/account/hide-my-email/make-alias'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerAliasMaking(await getContext(), request)
