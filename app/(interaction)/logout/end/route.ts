import { getContext } from '#lib/server/compose/process-context'
import { answerProvenLogout } from '#lib/sign-in/sign-out'

export const GET = async (request: Request) => answerProvenLogout(await getContext(), request)
