import { answerPicture } from '#lib/account/profile/serve-picture'
import { getContext } from '#lib/server/compose/process-context'

export const isPicture = true

/** Specification §2.7, picture rules. */
export const GET = async (request: Request) => answerPicture(await getContext(), request)
