import { getContext } from '#lib/context'
import { answerPicture } from '#lib/journey/picture'

/** Specification §2.7, picture rules. */
export const GET = async (request: Request) => answerPicture(await getContext(), request)
