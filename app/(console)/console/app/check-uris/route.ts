import { answerUriCheck } from '#lib/console/app/check-uris'
import { getContext } from '#lib/server/compose/process-context'

export const GET = async (request: Request) => answerUriCheck(await getContext(), request)
