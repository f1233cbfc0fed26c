import { answerProfile } from '#lib/account/profile/change-profile'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerProfile(await getContext(), request)
