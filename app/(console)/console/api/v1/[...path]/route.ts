import { answerApi } from '#lib/console/api/answer'
import { getContext } from '#lib/server/compose/process-context'

const answer = async (request: Request) => answerApi(await getContext(), request)

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT }
