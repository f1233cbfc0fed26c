import { answerDownload } from '#lib/account/data/download-data'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerDownload(await getContext(), request)
