import { getContext } from '#lib/context'
import { answerRecover } from '#lib/journey/recover'

export const POST = async (request: Request) => answerRecover(await getContext(), request)
