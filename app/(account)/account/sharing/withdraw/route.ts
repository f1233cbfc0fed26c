import { getContext } from '#lib/context'
import { answerAppWithdrawal } from '#lib/self-service/connected-apps'

export const POST = async (request: Request) => answerAppWithdrawal(await getContext(), request)
