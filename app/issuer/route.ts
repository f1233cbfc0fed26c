import { getContext } from '#lib/server/compose/process-context'
import { issuerHome } from '#lib/server/plain-page/issuer-home'

/** The root of the issuer; the front door and proxy.ts rewrite `/` of that host to this route. */
export const GET = async (request: Request) => issuerHome((await getContext()).config, request)
