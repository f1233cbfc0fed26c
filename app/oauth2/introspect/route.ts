import { getContext } from '#lib/context'
import { preflight } from '#lib/oauth/endpoint'
import { answerIntrospect } from '#lib/oauth/introspect'

/** Specification §4.8. */
export const POST = async (request: Request) => answerIntrospect((await getContext()).oauth, request)
export const OPTIONS = preflight('POST')
