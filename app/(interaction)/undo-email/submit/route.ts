import { getContext } from '#lib/server/compose/process-context'
import { answerEmailUndo } from '#lib/sign-in/email-undo/undo-email-change'

export const POST = async (request: Request) => answerEmailUndo(await getContext(), request)
