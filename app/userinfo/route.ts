import { preflight } from '#lib/http/headers'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import { getContext } from '#lib/server/compose/process-context'

/** Specification §4.6. */
export const GET = async (request: Request) => answerUserinfo((await getContext()).oauth, request)
export const POST = GET
export const OPTIONS = preflight('GET, POST')
