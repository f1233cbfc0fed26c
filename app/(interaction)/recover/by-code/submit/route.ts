import { getContext } from '#lib/context'
import { answerRecoverByCode } from '#lib/journey/recover-by-code'

export const POST = async (request: Request) => answerRecoverByCode(await getContext(), request)
