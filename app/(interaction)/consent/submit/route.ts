import { answerConsent } from '#lib/flow/consent'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerConsent(await getContext(), request)
