import { preflight } from '#lib/http/headers'
import { answerJwks } from '#lib/oauth/discovery/jwks'
import { getContext } from '#lib/server/compose/process-context'

/** Specification §4.5. */
export const GET = async () => answerJwks((await getContext()).oauth)
export const OPTIONS = preflight('GET')
