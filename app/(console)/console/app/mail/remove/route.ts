import { answerMailDomainRemoval } from '#lib/console/mail/change-mail'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerMailDomainRemoval(await getContext(), request)
