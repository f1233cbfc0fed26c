import type { AccountContext } from '#lib/account/context'
import { ownerOf } from '#lib/account/notify-owner'
import type { Person } from '#lib/account/signed-in/session'
import type { AttemptStore } from '#lib/account/throttle/attempt'
import type { Flash } from '#lib/http/flash'
import { pageLanguage } from '#lib/http/language'
import { checkCode, codeMinutes, issueCode, readCode, secondsToWait, stillWorks } from './email-code.ts'
import { beginBindingLetter, beginConfirmationLetter } from './letter-throttle.ts'
import type { EmailStore } from './store.ts'
import { undoDays } from './undo.ts'

/** The parts of every handler, and the stores that sending and checking codes needs. */
export type EmailContext = AccountContext & { emails: EmailStore; attempts: AttemptStore }
export type EmailProblem = Flash['problems'][number]

/**
 * The purpose of a signed-in person's code: to bind a new address, or to confirm the bound one after its mail bounced
 * (relay §7).
 */
type Purpose = 'bind' | 'confirm'

type Asked = {
  person: Person
  purpose: Purpose
  address: string
  /** The `ui_locales` of the app whose request the person is completing. */
  wished?: string | undefined
  /** Whether the person asked for another code; otherwise a code that was just sent is enough. */
  again?: boolean
}

/** Sends a code to an address; returns the problem when no code could be sent. */
export async function sendEmailCode(
  context: EmailContext,
  request: Request,
  asked: Asked,
): Promise<EmailProblem | undefined> {
  const problem = await sendNewCode(context, request, asked)
  if (problem?.code !== 'wait' || asked.again) return problem
  // The person went back and submitted the same address again: its code is on its way already.
  const last = await context.emails.findCode(asked.person.id, asked.purpose)
  const isEnough = last && last.address === asked.address && stillWorks(last, context.now())
  return isEnough ? undefined : problem
}

async function sendNewCode(context: EmailContext, request: Request, asked: Asked): Promise<EmailProblem | undefined> {
  const { emails, now, random } = context
  const { person, purpose, address } = asked
  const last = await emails.findCode(person.id, purpose)
  const seconds = last ? secondsToWait(last, now(), address) : 0
  if (seconds > 0) return waitProblem(seconds)
  const letter =
    purpose === 'bind'
      ? await beginBindingLetter(context, request, address)
      : await beginConfirmationLetter(context, person.id)
  if (letter.wait() > 0) return waitProblem(letter.wait())
  const issued = await letter.look(() =>
    issueCode(emails, { personId: person.id, purpose, now: now(), address, random }),
  )
  if (issued.kind === 'wait') return waitProblem(issued.seconds)
  return (await sendLetter(context, request, asked, issued.code)) ? undefined : { code: 'not_sent' }
}

async function sendLetter(
  context: EmailContext,
  request: Request,
  { person, purpose, address, wished }: Asked,
  code: string,
): Promise<boolean> {
  const { emails, letters, now } = context
  const content = { to: address, code, minutes: codeMinutes }
  if (purpose === 'confirm') return letters.codeToConfirm({ ...ownerOf(person), ...content })
  // The page does not reveal that the address is taken: its owner gets a letter instead (security checklist,
  // "Addresses").
  const owner = await emails.findOwner(address)
  if (owner) return letters.addressTaken({ ...owner, to: address })
  const stranger = { to: address, locale: pageLanguage(context, request, wished || person.pageLanguage) }
  // The letter does not name the account: someone else may read the inbox now.
  if (await emails.isReserved(address, person.id, now()))
    return letters.addressReserved({ ...stranger, days: undoDays })
  return letters.codeToBind({ ...content, ...stranger })
}

/** Checks a typed code; returns the address that it proves, or the problem with it. */
export async function checkEmailCode(
  { emails, now }: EmailContext,
  { person, purpose, typed }: { person: Person; purpose: Purpose; typed: string },
): Promise<{ address: string } | { problem: EmailProblem }> {
  const problem = (code: string, more = {}) => ({ problem: { field: 'code', code, ...more } })
  const code = readCode(typed)
  if (code === undefined) return problem('code_missing')
  const checked = await checkCode(emails, { personId: person.id, purpose, now: now(), typed: code })
  if (checked.kind === 'wrong') return problem('code_wrong', { left: checked.left })
  return checked.kind === 'spent' ? { problem: spentCode } : { address: checked.address }
}

/** The problem of a code that no longer proves an address: used, expired, replaced, or without an attempt left. */
export const spentCode: EmailProblem = { field: 'code', code: 'code_spent' }

const longestWaitInSeconds = 300

/** Returns the problem that asks a person to wait, or to come back later when the wait is long. */
export const waitProblem = (seconds: number): EmailProblem => ({
  code: seconds > longestWaitInSeconds ? 'too_many' : 'wait',
  wait: Math.ceil(seconds),
})
