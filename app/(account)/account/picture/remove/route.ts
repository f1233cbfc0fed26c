import { getContext } from '#lib/context'
import { answerPictureRemoval } from '#lib/self-service/picture'

export const POST = async (request: Request) => answerPictureRemoval(await getContext(), request)
