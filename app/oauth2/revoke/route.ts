import { preflight } from '#lib/http/headers'
import { answerRevoke } from '#lib/oauth/token/revoke'
import { getContext } from '#lib/server/compose/process-context'

/** Specification §4.7. */
export const POST = async (request: Request) => answerRevoke((await getContext()).oauth, request)
export const OPTIONS = preflight('POST')
