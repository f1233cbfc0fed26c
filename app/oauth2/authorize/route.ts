import { answerAuthorize } from '#lib/flow/authorize'
import { getContext } from '#lib/server/compose/process-context'

/** Specification §4.2; both methods, as OpenID Connect Core §3.1.2.1 asks. No CORS here (RFC 9700 §2.6). */
export const GET = async (request: Request) => answerAuthorize(await getContext(), request)
export const POST = GET
