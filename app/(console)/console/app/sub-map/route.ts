import { answerSubMap } from '#lib/console/transfer/sub-map'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerSubMap(await getContext(), request)
