import { answerDomainRemoval } from '#lib/console/domain/change-domains'
import { getContext } from '#lib/server/compose/process-context'

export const POST = async (request: Request) => answerDomainRemoval(await getContext(), request)
