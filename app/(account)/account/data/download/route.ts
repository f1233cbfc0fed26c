import { answerDownload } from '#lib/account/data/download-data'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerDownload(await getContext(), request)
