import { answerLetterHtml } from '#lib/mail/letter-page'
import { getContext } from '#lib/server/compose/process-context'

export const GET = async (request: Request) => answerLetterHtml(await getContext(), request)
