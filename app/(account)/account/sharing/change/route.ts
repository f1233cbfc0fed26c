import { getContext } from '#lib/context'
import { answerAppChange } from '#lib/self-service/connected-apps'

export const POST = async (request: Request) => answerAppChange(await getContext(), request)
