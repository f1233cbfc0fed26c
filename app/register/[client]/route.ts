import {
  answerRegistrationDeletion,
  answerRegistrationRead,
  answerRegistrationUpdate,
} from '#lib/console/registration/manage'
import { preflight } from '#lib/http/headers'
import { getContext } from '#lib/server/compose/process-context'

/** RFC 7592 §2. */
export const GET = async (request: Request) => answerRegistrationRead(await getContext(), request)
export const PUT = async (request: Request) => answerRegistrationUpdate(await getContext(), request)
export const DELETE = async (request: Request) => answerRegistrationDeletion(await getContext(), request)
export const OPTIONS = preflight('GET, PUT, DELETE')
