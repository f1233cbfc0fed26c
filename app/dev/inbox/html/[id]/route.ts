import { getContext } from '#lib/context'
import { answerLetterHtml } from '#lib/mail/letter-page'

export const GET = async (request: Request) => answerLetterHtml(await getContext(), request)
