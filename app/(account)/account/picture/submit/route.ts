import { getContext } from '#lib/context'
import { answerPictureUpload, pictureBodyLimit } from '#lib/self-service/picture'

export const bodyLimit = pictureBodyLimit

export const POST = async (request: Request) => answerPictureUpload(await getContext(), request)
