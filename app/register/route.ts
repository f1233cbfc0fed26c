import { answerRegister } from '#lib/console/registration/register'
import { preflight } from '#lib/http/headers'
import { getContext } from '#lib/server/compose/process-context'

/** RFC 7591 §3. */
export const POST = async (request: Request) => answerRegister(await getContext(), request)
export const OPTIONS = preflight('POST')
