import { getContext } from '#lib/context'
import { answerConsent } from '#lib/journey/consent'

export const POST = async (request: Request) => answerConsent(await getContext(), request)
