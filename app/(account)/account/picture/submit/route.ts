import { answerPictureUpload, pictureBodyLimit } from '#lib/account/profile/change-picture'
import { getContext } from '#lib/server/compose/context'

export const bodyLimit = pictureBodyLimit

export const POST = async (request: Request) => answerPictureUpload(await getContext(), request)
