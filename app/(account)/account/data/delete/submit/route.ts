import { getContext } from '#lib/context'
import { answerDeletion } from '#lib/self-service/deletion'

export const POST = async (request: Request) => answerDeletion(await getContext(), request)
