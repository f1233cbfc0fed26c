import { getContext } from '#lib/context'
import { answerSignOut } from '#lib/journey/sign-out'

export const POST = async (request: Request) => answerSignOut(await getContext(), request)
