import { getContext } from '#lib/context'
import { answerReturn } from '#lib/journey/app-answer'

export const GET = async (request: Request) => answerReturn(await getContext(), request)
