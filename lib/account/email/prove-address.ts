import { originOf } from '#lib/account/activity/activity'
import { happening } from '#lib/account/activity/happening'
import { email } from '#lib/account/person/person-rules'
import type { Current } from '#lib/account/signed-in/session'
import type { Flash } from '#lib/http/flash'
import { pageLanguage } from '#lib/http/language'
import type { Context } from '#lib/server/compose/context'
import { checkCode, codeMinutes, issueCode, readCode, secondsToWait } from './email-code.ts'
import { beginBindingLetter } from './letter-try.ts'

export type AddressProblem = Flash['problems'][number]
type Asking = { current: Current; request: Request; wished?: string | undefined }

const longestWaitInSeconds = 300

/** What is wrong with an address somebody typed, or the address as it is kept (spec §2.7). */
export function readAddress(context: Context, typed: string): { address: string } | { problem: AddressProblem } {
  const problem = (code: string) => ({ problem: { field: 'address', code } })
  const trimmed = typed.trim().slice(0, 300)
  if (trimmed === '') return problem('address_missing')
  const read = email(context.config.relayDomain).safeParse(trimmed)
  if (read.success) return { address: read.data }
  const relay = trimmed.toLowerCase().endsWith(`@${context.config.relayDomain}`)
  return problem(relay ? 'address_relay' : 'address_invalid')
}

/** Sends a code to an address, for the one who wants to bind it; answers what keeps the letter from leaving. */
export async function sendBindingCode(
  context: Context,
  { current: { person }, request, wished }: Asking,
  address: string,
): Promise<AddressProblem | undefined> {
  const { emails, letters, now, random } = context
  const last = await emails.findCode(person.id, 'bind')
  const seconds = last ? secondsToWait(last, now(), address) : 0
  if (seconds > 0) return waitProblem(seconds)
  const letter = await beginBindingLetter(context, request, address)
  if (letter.wait() > 0) return waitProblem(letter.wait())
  const about = { personId: person.id, purpose: 'bind', now: now(), address, random } as const
  const issued = await letter.look(() => issueCode(emails, about))
  if (issued.kind === 'wait') return waitProblem(issued.seconds)
  // The page is the same when the address has an owner, who gets a letter instead (security checklist, "Addresses").
  const owner = await emails.findOwner(address)
  const sent = owner
    ? await letters.addressTaken({ ...owner, to: address })
    : await letters.codeToBind({
        to: address,
        locale: pageLanguage(request, wished),
        code: issued.code,
        minutes: codeMinutes,
      })
  return sent ? undefined : { code: 'not_sent' }
}

export const waitProblem = (seconds: number): AddressProblem => ({
  code: seconds > longestWaitInSeconds ? 'too_many' : 'wait',
  wait: Math.ceil(seconds),
})

/** Binds the address whose code this is, tells the one before, and notes it; else what is wrong with the code. */
export async function proveAddress(
  context: Context,
  { current: { person }, request }: Asking,
  typed: string,
): Promise<AddressProblem | undefined> {
  const problem = (code: string, more = {}): AddressProblem => ({ field: 'code', code, ...more })
  const code = readCode(typed)
  if (code === undefined) return problem('code_missing')
  const { emails, now } = context
  const checked = await checkCode(emails, { personId: person.id, purpose: 'bind', now: now(), typed: code })
  if (checked.kind === 'wrong') return problem('code_wrong', { left: checked.left })
  if (checked.kind === 'spent') return problem('code_spent')
  // Another account may have bound the address, or this account another one: both look like a dead code.
  const binding = { address: checked.address, before: person.email, now: now() }
  const bound = await emails.bindAddress(person.id, binding)
  if (bound !== 'bound') return problem('code_spent')
  await context.activity.record(person.id, {
    at: now(),
    kind: person.email === undefined ? 'email_bound' : 'email_changed',
    detail: {},
    ...originOf(request),
  })
  const { username, locale } = person
  void context.letters.addressChanged({ to: person.email, username, locale, ...happening(context, request) })
  return undefined
}
