import { forgetPerson, peopleKnownIn } from '#lib/account/sessions/known-browser'
import type { Remembered, SignInStore } from '#lib/account/signed-in/session'
import { sha256 } from '#lib/crypto/hash'
import type { FlowContext } from '#lib/flow/context'
import { destinationFields, receiveSignInForm } from '#lib/flow/destination'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import { initialsOf } from '#lib/text/text-rules'

export type RememberingSite = Site & { signIn: Pick<SignInStore, 'findRemembered'> }

/** An account that the sign-in page offers; `mark` names it in links and forms without its id or username. */
export type RememberedAccount = Remembered & { mark: string; initials: string }

/** The sign-in page shows no more. */
const mostShown = 5

/** Returns the accounts that this browser remembers after a sign-out, the latest first. */
export async function rememberedAccounts(
  context: RememberingSite,
  cookies: string | null,
): Promise<RememberedAccount[]> {
  const known = await peopleKnownIn(context, cookies)
  if (known.length === 0) return []
  const found = await context.signIn.findRemembered(known, context.now())
  return found.slice(0, mostShown).map((person) => ({
    ...person,
    mark: sha256(person.id).slice(0, 12),
    initials: initialsOf(person.name || person.username),
  }))
}

/** POST /signin/forget: this browser no longer remembers the account. Someone at the browser may do that without a sign-in. */
export async function answerForget(context: FlowContext & RememberingSite, request: Request): Promise<Response> {
  const received = await receiveSignInForm(context, request)
  if (received instanceof Response) return received
  const { form, destination } = received
  const accounts = await rememberedAccounts(context, request.headers.get('cookie'))
  const account = accounts.find(({ mark }) => mark === form.get('who'))
  const page = pathWith('/signin', { ...destinationFields(destination), as: 'other' })
  return goTo(page, account && (await forgetPerson(context, request, account.id)))
}
