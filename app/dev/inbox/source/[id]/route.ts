import { answerLetterSource } from '#lib/mail/letter-page'
import { getContext } from '#lib/server/compose/context'

export const GET = async (request: Request) => answerLetterSource(await getContext(), request)
