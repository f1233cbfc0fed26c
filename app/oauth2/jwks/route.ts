import { getContext } from '#lib/context'
import { preflight } from '#lib/oauth/endpoint'
import { answerJwks } from '#lib/oauth/jwks'

/** Specification §4.5. */
export const GET = async () => answerJwks((await getContext()).oauth)
export const OPTIONS = preflight('GET')
