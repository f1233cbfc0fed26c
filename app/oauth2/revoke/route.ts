import { getContext } from '#lib/context'
import { preflight } from '#lib/oauth/endpoint'
import { answerRevoke } from '#lib/oauth/revoke'

/** Specification §4.7. */
export const POST = async (request: Request) => answerRevoke((await getContext()).oauth, request)
export const OPTIONS = preflight('POST')
