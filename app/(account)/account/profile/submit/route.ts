import { getContext } from '#lib/context'
import { answerProfile } from '#lib/self-service/profile'

export const POST = async (request: Request) => answerProfile(await getContext(), request)
