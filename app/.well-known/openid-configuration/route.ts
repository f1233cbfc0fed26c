import { preflight } from '#lib/http/headers'
import { discovery } from '#lib/oauth/discovery/discovery'
import { getContext } from '#lib/server/compose/process-context'

/** OpenID Connect Discovery 1.0 §4; spec §4.1. */
export const GET = async () => discovery((await getContext()).discovery)
export const OPTIONS = preflight('GET')
