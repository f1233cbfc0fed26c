import { answerBrandPicture } from '#lib/server/brand/answer-picture'
import { getContext } from '#lib/server/compose/process-context'

export const isPicture = true

export const GET = async (request: Request) => answerBrandPicture(await getContext(), request)
