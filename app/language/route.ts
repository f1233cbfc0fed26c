import { answerLanguage } from '#lib/account/profile/page-look'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerLanguage(await getContext(), request)
