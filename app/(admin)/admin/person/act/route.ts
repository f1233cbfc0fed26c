import { answerPersonAct } from '#lib/admin/people/person-act'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerPersonAct(await getContext(), request)
