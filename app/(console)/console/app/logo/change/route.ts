import { pictureBodyLimit } from '#lib/account/profile/answer-upload'
import { answerLogoUpload } from '#lib/console/app/change-logo'
import { getContext } from '#lib/server/compose/process-context'

export const bodyLimit = pictureBodyLimit

export const POST = async (request: Request) => answerLogoUpload(await getContext(), request)
