import { answerMailDomainCheck } from '#lib/console/mail/change-mail'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerMailDomainCheck(await getContext(), request)
