import { answerPictureRemoval } from '#lib/account/profile/change-picture'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerPictureRemoval(await getContext(), request)
