import { preflight } from '#lib/http/headers'
import { ssfConfiguration } from '#lib/oauth/events/ssf-configuration'
import { getContext } from '#lib/server/compose/process-context'

/** SSF 1.0 §7.2. */
export const GET = async () => ssfConfiguration((await getContext()).discovery)
export const OPTIONS = preflight('GET')
