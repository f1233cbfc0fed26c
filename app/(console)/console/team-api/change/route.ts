import { answerApiChange } from '#lib/console/team-apis/api-forms'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerApiChange(await getContext(), request)
