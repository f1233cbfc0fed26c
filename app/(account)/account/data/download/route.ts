import { getContext } from '#lib/context'
import { answerDownload } from '#lib/self-service/personal-data'

export const POST = async (request: Request) => answerDownload(await getContext(), request)
