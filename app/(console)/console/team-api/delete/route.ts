import { answerApiDeletion } from '#lib/console/team-apis/api-forms'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerApiDeletion(await getContext(), request)
