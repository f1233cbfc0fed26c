import { getContext } from '#lib/server/compose/context'
import { answerRecover } from '#lib/sign-in/recovery/recover'

export const POST = async (request: Request) => answerRecover(await getContext(), request)
