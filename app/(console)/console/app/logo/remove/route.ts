import { answerLogoRemoval } from '#lib/console/app/change-logo'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerLogoRemoval(await getContext(), request)
