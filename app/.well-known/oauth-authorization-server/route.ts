import { preflight } from '#lib/http/headers'
import { discovery } from '#lib/oauth/discovery/discovery'
import { getContext } from '#lib/server/compose/process-context'

/** RFC 8414 §3: the same document at the OAuth address. */
export const GET = async () => discovery((await getContext()).discovery)
export const OPTIONS = preflight('GET')
