import { getContext } from '#lib/context'
import { discovery } from '#lib/oauth/discovery'
import { preflight } from '#lib/oauth/endpoint'

/** RFC 8414 §3: the same document at the OAuth address. */
export const GET = async () => discovery((await getContext()).site)
export const OPTIONS = preflight('GET')
