import { preflight } from '#lib/http/headers'
import { answerPush } from '#lib/oauth/authorize/push'
import { getContext } from '#lib/server/compose/process-context'

/** RFC 9126 §2. */
export const POST = async (request: Request) => answerPush((await getContext()).oauth, request)
export const OPTIONS = preflight('POST')
