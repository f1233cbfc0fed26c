import { originOf } from '#lib/account/activity/activity'
import { describeEvent } from '#lib/account/activity/describe-event'
import { email } from '#lib/account/person/person-rules'
import type { Current } from '#lib/account/signed-in/session'
import { checkEmailCode, type EmailContext, type EmailProblem, spentCode } from './email-code-flow.ts'
import { makeUndo } from './undo.ts'

/** Reads a typed address into its stored spelling, or returns its problem (spec §2.7). */
export function readAddress(
  { config: { relayDomain } }: { config: { relayDomain: string } },
  typed: string,
): { address: string } | { problem: EmailProblem } {
  const problem = (code: string) => ({ problem: { field: 'address', code } })
  const trimmed = typed.trim().slice(0, 300)
  if (trimmed === '') return problem('address_missing')
  const read = email(relayDomain).safeParse(trimmed)
  if (read.success) return { address: read.data }
  return problem(trimmed.toLowerCase().endsWith(`@${relayDomain}`) ? 'address_relay' : 'address_invalid')
}

/**
 * Binds the address that a code proves, and writes to the previous address, with a link that undoes the change unless the
 * person can no longer read mail there. Returns the problem with the code, if any.
 */
export async function bindAddress(
  context: EmailContext,
  request: Request,
  { current: { person, session }, typed, isInboxLost = false }: Proof,
): Promise<EmailProblem | undefined> {
  const checked = await checkEmailCode(context, { person, purpose: 'bind', typed })
  if ('problem' in checked) return checked.problem
  const at = context.now()
  const { undo, letter } = makeUndo(context, { sessionId: session.id, isInboxLost })
  const binding = { address: checked.address, before: person.email, now: at, undo }
  const bound = await context.emails.bindAddress(person.id, binding)
  // Another account has bound the address, or this account has bound another one: both are reported as a spent code.
  if (bound !== 'bound') return spentCode
  const kind = person.email === undefined ? 'email_bound' : 'email_changed'
  await context.activity.record(person.id, { at, kind, detail: {}, ...originOf(request) })
  const { username, locale, email: previous } = person
  void context.letters.addressChanged({
    ...{ to: previous, username, locale, undo: letter },
    ...describeEvent(context, request),
  })
  return undefined
}

/** The person, the code that they typed, and whether they can no longer read mail at the previous address. */
type Proof = { current: Pick<Current, 'person' | 'session'>; typed: string; isInboxLost?: boolean }
