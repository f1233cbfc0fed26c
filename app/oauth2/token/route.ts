import { preflight } from '#lib/http/headers'
import { answerToken } from '#lib/oauth/token/endpoint'
import { getContext } from '#lib/server/compose/process-context'

/** Specification §4.3, §4.4. */
export const POST = async (request: Request) => answerToken((await getContext()).oauth, request)
export const OPTIONS = preflight('POST')
