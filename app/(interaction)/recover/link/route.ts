import { getContext } from '#lib/server/compose/process-context'
import { answerOperatorLink } from '#lib/sign-in/recovery/operator-link'

export const GET = async (request: Request) => answerOperatorLink(await getContext(), request)
