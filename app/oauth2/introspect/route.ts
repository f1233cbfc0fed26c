import { preflight } from '#lib/http/headers'
import { answerIntrospect } from '#lib/oauth/token/introspect'
import { getContext } from '#lib/server/compose/process-context'

/** Specification §4.8. */
export const POST = async (request: Request) => answerIntrospect((await getContext()).oauth, request)
export const OPTIONS = preflight('POST')
