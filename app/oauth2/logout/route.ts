import { answerLogout } from '#lib/flow/logout'
import { getContext } from '#lib/server/compose/process-context'

/** RP-Initiated Logout 1.0 §2: both methods. No CORS: browsers navigate here, as to the authorization endpoint. */
export const GET = async (request: Request) => answerLogout(await getContext(), request)
export const POST = GET
