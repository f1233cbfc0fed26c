import { pictureBodyLimit } from '#lib/account/profile/answer-upload'
import { answerPictureUpload } from '#lib/account/profile/change-picture'
import { getContext } from '#lib/server/compose/process-context'

export const bodyLimit = pictureBodyLimit

export const POST = async (request: Request) => answerPictureUpload(await getContext(), request)
