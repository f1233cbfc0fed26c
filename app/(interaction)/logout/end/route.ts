import { getContext } from '#lib/server/compose/context'
import { answerProvenLogout } from '#lib/sign-in/sign-out'

export const GET = async (request: Request) => answerProvenLogout(await getContext(), request)
