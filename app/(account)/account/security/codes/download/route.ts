import { getContext } from '#lib/context'
import { answerCodesDownload } from '#lib/journey/shown-codes'

export const GET = async (request: Request) => answerCodesDownload(await getContext(), request)
