import { answerAccountForm, type Keeps, type Outcome, type Submission } from '#lib/account/account-form'
import { addressFrom } from '#lib/account/activity/activity'
import type { Recorded } from '#lib/account/activity/recorded'
import type { PageForm } from '#lib/http/form'
import { accessOf } from './access.ts'
import type { AdminContext } from './context.ts'

type AdminForm = { form: string; page: string | ((form: PageForm) => string); keeps?: Keeps }

/** A form from an operator whose sign-in is recent and used two factors. */
export type AdminSubmission<C extends AdminContext = AdminContext> = Submission<C>

/**
 * Answers a form of the operators' pages. For any other person, and for an operator with one factor, it does nothing and
 * leads to the page, which decides again and answers 404 or explains the second factor.
 */
export const answerAdminForm = <C extends AdminContext>(
  context: C,
  request: Request,
  about: AdminForm,
  run: (submission: AdminSubmission<C>) => Promise<Outcome>,
): Promise<Response> =>
  answerAccountForm(context, request, { ...about, fresh: true }, async (submission) =>
    (await accessOf(context, submission, addressFrom(request))) === 'granted' ? run(submission) : { problems: [] },
  )

/** The most characters of a reason. */
export const longestReason = 200

/** Returns the reason that the operator typed, on one line. */
export const reasonIn = (form: PageForm): string =>
  form
    .get('reason')
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, longestReason)

/** Returns the line of the record for an act. */
export const recordedBy = ({ context, person }: AdminSubmission, reason: string): Recorded => ({
  id: context.random(16).toString('base64url'),
  at: context.now(),
  actor: person.username,
  reason,
})
