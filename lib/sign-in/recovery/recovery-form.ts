import { type Destination, destinationFields, receiveSignInForm } from '#lib/flow/destination'
import { type Flash, goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import type { RecoveryContext } from './recovery-step.ts'

/** A form of the recovery pages. `askAgain` leads back to a page, with the sealed step if the page needs one. */
type RecoveryForm = {
  form: PageForm
  destination: Destination
  askAgain(page: string, problem: Flash['problems'][number], kept?: Flash['kept'], step?: string): Promise<Response>
}

/** Answers a form of the recovery pages; without a destination, a recovery leads to the account. */
export async function answerRecoveryForm(
  context: RecoveryContext,
  request: Request,
  run: (recovery: RecoveryForm) => Promise<Response>,
): Promise<Response> {
  const received = await receiveSignInForm(context, request, '/account')
  if (received instanceof Response) return received
  const { form, destination } = received
  const askAgain: RecoveryForm['askAgain'] = async (path, problem, kept = {}, step) => {
    const name = path.slice(1).replace('/', '-')
    const page = pathWith(path, { step, ...destinationFields(destination) })
    return goAndSay(context, request, page, { form: name, problems: [problem], kept })
  }
  return run({ form, destination, askAgain })
}
