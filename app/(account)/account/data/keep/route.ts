import { getContext } from '#lib/context'
import { answerKeep } from '#lib/self-service/deletion'

export const POST = async (request: Request) => answerKeep(await getContext(), request)
