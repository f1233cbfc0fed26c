import { getContext } from '#lib/server/compose/process-context'
import { answerCodesDownload } from '#lib/sign-in/recovery-codes/shown-codes'

export const GET = async (request: Request) => answerCodesDownload(await getContext(), request)
