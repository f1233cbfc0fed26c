import { getContext } from '#lib/server/compose/process-context'
import { answerRecover } from '#lib/sign-in/recovery/recover'

export const POST = async (request: Request) => answerRecover(await getContext(), request)
