import { answerTheme } from '#lib/account/profile/page-look'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerTheme(await getContext(), request)
