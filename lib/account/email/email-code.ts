import { dummyVerify, hashPassword, verifyPassword } from '#lib/crypto/password-hash'
import { isOverloaded } from '#lib/queue/fair-queue'

/** The purpose of a code; a code for recovery is valid only in the browser that asked for it. */
export type CodePurpose = 'bind' | 'confirm' | `recover:${string}`

/** The latest code of a person for a purpose. An empty hash marks a used code, kept to count letters. */
export type EmailCode = {
  address: string
  hash: string
  attempts: number
  /** The number of letters with less than an hour between them, and the time of the last one. */
  sent: number
  sentAt: Date
  expiresAt: Date
}

/** The storage of codes; each change is one compare-and-set (design §4). */
export type EmailCodeStore = {
  findCode(personId: string, purpose: CodePurpose): Promise<EmailCode | undefined>
  /** Replaces the code `seen`, which the caller has read; false when a concurrent request has replaced it. */
  replaceCode(personId: string, purpose: CodePurpose, seen: EmailCode | undefined, next: EmailCode): Promise<boolean>
  /** Counts an attempt at this code; false when no attempt is left, or the code was replaced. */
  claimAttempt(personId: string, purpose: CodePurpose, hash: string, now: Date): Promise<boolean>
  /** Undoes the count of one attempt at this code. */
  returnAttempt(personId: string, purpose: CodePurpose, hash: string): Promise<void>
  /** Marks a code as used; false when it was used before. */
  spendCode(personId: string, purpose: CodePurpose, hash: string): Promise<boolean>
}

export const codeMinutes = 10
export const codeAttempts = 5
/**
 * Seconds to wait after the first letter, after the second and so on; the last delay applies to every later letter.
 */
const delays = [30, 60, 120, 240, 3600]
const hour = 3_600_000

/** Returns whether a code can still prove its address. */
export const stillWorks = ({ hash, attempts, expiresAt }: EmailCode, now: Date): boolean =>
  hash !== '' && attempts < codeAttempts && expiresAt > now

type For = { personId: string; purpose: CodePurpose; now: Date }
export type Issued = { kind: 'issued'; code: string } | { kind: 'wait'; seconds: number }

/** Returns six digits, uniformly distributed (security checklist, "Short codes"). */
export function makeCode(random: (bytes: number) => Buffer): string {
  const limit = 2 ** 32 - (2 ** 32 % 1_000_000)
  for (;;) {
    const number = random(4).readUInt32BE()
    if (number < limit) return String(number % 1_000_000).padStart(6, '0')
  }
}

/**
 * A code with its hash. Recovery makes both before it looks up the account, so that the time of hashing reveals
 * nothing.
 */
export type PreparedCode = { code: string; hash: string }

export async function prepareCode(random: (bytes: number) => Buffer): Promise<PreparedCode> {
  const code = makeCode(random)
  return { code, hash: await hashPassword(code) }
}

/**
 * Stores a new code for a person and a purpose in place of the previous one; returns the seconds to wait if the last
 * code was sent too recently.
 */
export async function issueCode(
  store: EmailCodeStore,
  { random, ...about }: For & { address: string; random(bytes: number): Buffer },
): Promise<Issued> {
  const seen = await store.findCode(about.personId, about.purpose)
  const seconds = seen ? secondsToWait(seen, about.now, about.address) : 0
  if (seconds > 0) return { kind: 'wait', seconds }
  return placeCode(store, { ...about, seen }, await prepareCode(random))
}

/** Stores a prepared code in place of `seen`, which the caller has read; of concurrent requests, one succeeds. */
export async function placeCode(
  store: EmailCodeStore,
  { personId, purpose, now, address, seen }: For & { address: string; seen: EmailCode | undefined },
  { code, hash }: PreparedCode,
): Promise<Issued> {
  const next: EmailCode = {
    address,
    hash,
    attempts: 0,
    sent: seen && now.getTime() - seen.sentAt.getTime() < hour ? seen.sent + 1 : 1,
    sentAt: now,
    expiresAt: new Date(now.getTime() + codeMinutes * 60_000),
  }
  if (await store.replaceCode(personId, purpose, seen, next)) return { kind: 'issued', code }
  return { kind: 'wait', seconds: delays[0] as number }
}

/**
 * Returns the seconds until another letter may be sent, with exponential backoff, so that no inbox is flooded. After
 * the first letter, a different address needs no wait, so that a typing error can be corrected at once.
 */
export function secondsToWait(last: LastLetter, now: Date, to = last.address): number {
  const { sent, sentAt, address } = last
  if (sent === 1 && to !== address) return 0
  const delay = delays[Math.min(sent, delays.length) - 1] ?? 0
  return Math.max(0, Math.ceil(delay - (now.getTime() - sentAt.getTime()) / 1000))
}

type LastLetter = { sent: number; sentAt: Date; address?: string }

export type Checked = { kind: 'right'; address: string } | { kind: 'wrong'; left: number } | { kind: 'spent' }

/**
 * Compares a typed code with the stored one. Counts the attempt first, so that concurrent guesses all count. For
 * recovery, takes the same time when no code exists. For other purposes the person knows whether a code exists, so
 * nothing is hashed without one.
 */
export async function checkCode(
  store: EmailCodeStore,
  { personId, purpose, now, typed }: For & { typed: string },
): Promise<Checked> {
  const live = await store.findCode(personId, purpose)
  if (!live?.hash || !(await store.claimAttempt(personId, purpose, live.hash, now))) {
    if (isForRecovery(purpose)) await dummyVerify(typed)
    return { kind: 'spent' }
  }
  const { ok } = await verifyPassword(typed, live.hash).catch(async (fault: unknown) => {
    // A request that the full queue refused does not count as an attempt.
    if (isOverloaded(fault)) await store.returnAttempt(personId, purpose, live.hash)
    throw fault
  })
  if (ok) {
    const spent = await store.spendCode(personId, purpose, live.hash)
    return spent ? { kind: 'right', address: live.address } : { kind: 'spent' }
  }
  const left = codeAttempts - ((await store.findCode(personId, purpose))?.attempts ?? codeAttempts)
  return left > 0 ? { kind: 'wrong', left } : { kind: 'spent' }
}

const isForRecovery = (purpose: CodePurpose) => purpose.startsWith('recover:')

/** Reads typed or pasted digits in any width and grouping; undefined when they are not a code. */
export function readCode(typed: string): string | undefined {
  const digits = typed.slice(0, 40).normalize('NFKC').replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}
