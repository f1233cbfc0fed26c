import { getContext } from '#lib/context'
import { answerLetterSource } from '#lib/mail/letter-page'

export const GET = async (request: Request) => answerLetterSource(await getContext(), request)
