import { dummyVerify, hashPassword, verifyPassword } from '#lib/crypto/password-hash'
import { isOverloaded } from '#lib/queue/fair-queue'

/** What a code on its way to an inbox is for; one for recovery is good in the browser that asked for it, and only there. */
export type CodePurpose = 'bind' | 'confirm' | `recover:${string}`

/** The latest code of a person for a purpose; without a hash it is used up, and only its letters still count. */
export type EmailCode = {
  address: string
  hash: string
  attempts: number
  /** How many letters went out within the hour, and when the last one did. */
  sent: number
  sentAt: Date
  expiresAt: Date
}

/** What short codes ask of storage: every step is one compare-and-set (design §4). */
export type EmailCodeStore = {
  findCode(personId: string, purpose: CodePurpose): Promise<EmailCode | undefined>
  /** Puts a code in place of the one that was seen; false when another request was faster. */
  replaceCode(personId: string, purpose: CodePurpose, seen: EmailCode | undefined, next: EmailCode): Promise<boolean>
  /** Counts an attempt at this very code; false when it has none left, or is no longer the code. */
  claimAttempt(personId: string, purpose: CodePurpose, hash: string, now: Date): Promise<boolean>
  /** Gives an attempt at this very code back. */
  returnAttempt(personId: string, purpose: CodePurpose, hash: string): Promise<void>
  /** Uses a code up; false when that happened already. */
  spendCode(personId: string, purpose: CodePurpose, hash: string): Promise<boolean>
}

export const codeMinutes = 10
export const codeAttempts = 5
/** Seconds until the next letter may be asked for, after the first, the second and so on; then an hour of rest. */
const delays = [30, 60, 120, 240, 3600]
const hour = 3_600_000

type For = { personId: string; purpose: CodePurpose; now: Date }
export type Issued = { kind: 'issued'; code: string } | { kind: 'wait'; seconds: number }

/** Six digits, each number as likely as any other (security checklist, "Short codes"). */
export function makeCode(random: (bytes: number) => Buffer): string {
  const limit = 2 ** 32 - (2 ** 32 % 1_000_000)
  for (;;) {
    const number = random(4).readUInt32BE()
    if (number < limit) return String(number % 1_000_000).padStart(6, '0')
  }
}

/** A code and its hash, which takes long: made before it is known whose code it will be, it tells nothing by its time. */
export type PreparedCode = { code: string; hash: string }

export async function prepareCode(random: (bytes: number) => Buffer): Promise<PreparedCode> {
  const code = makeCode(random)
  return { code, hash: await hashPassword(code) }
}

/** Makes the one live code of a person for a purpose, unless the last letter is too recent; the one before stops working. */
export async function issueCode(
  store: EmailCodeStore,
  { random, ...about }: For & { address: string; random(bytes: number): Buffer },
): Promise<Issued> {
  const seen = await store.findCode(about.personId, about.purpose)
  const seconds = seen ? secondsToWait(seen, about.now, about.address) : 0
  if (seconds > 0) return { kind: 'wait', seconds }
  return placeCode(store, { ...about, seen }, await prepareCode(random))
}

/** Puts a prepared code in place of the one that was seen; of requests that saw the same one, one does. */
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
 * Seconds until another letter may be asked for: longer each time, so that nobody's inbox is flooded. Who sees a slip in
 * the first address goes on to the right one at once.
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
 * Compares what was typed with the live code. The attempt is counted before it is looked at: guesses at once all count.
 * For recovery it takes as long when there is no code. Elsewhere the person knows whether there is one, and a guess that
 * no attempt was counted for costs no hash.
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
    // A request refused by the full queue does not count as an attempt.
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

/** The digits somebody typed or pasted, in whatever width and grouping; undefined when they cannot be a code. */
export function readCode(typed: string): string | undefined {
  const digits = typed.slice(0, 40).normalize('NFKC').replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}
