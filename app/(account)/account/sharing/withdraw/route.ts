import { answerAppWithdrawal } from '#lib/account/connected-apps/connected-apps'
import { getContext } from '#lib/server/compose/context'

export const POST = async (request: Request) => answerAppWithdrawal(await getContext(), request)
