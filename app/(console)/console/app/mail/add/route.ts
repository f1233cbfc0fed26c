import { answerMailDomainAddition } from '#lib/console/mail/change-mail'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerMailDomainAddition(await getContext(), request)
