import type { Ways } from './store.ts'

/** Fewer recovery codes than this are too few. */
export const fewCodes = 3

/** The parts of an account's safety, in the order in which pages show them. */
export const safetyParts = ['passkey', 'secondStep', 'codes', 'email'] as const
export type SafetyPart = (typeof safetyParts)[number]

/** How safe an account is; `next` is the most useful step that is left. */
export type Safety = {
  isGood: Record<SafetyPart, boolean>
  /** No address and no recovery code: a lost passkey or password loses the account. */
  isStuck: boolean
  next: SafetyPart | undefined
}

/** Returns how safe an account is, with one next step (issue "A product people enjoy", "Account"). */
export function safetyOf({ password, email, passkeys, totpSince, codes }: Ways): Safety {
  const left = codes?.left ?? 0
  const isGood = {
    passkey: passkeys.length > 0,
    // Without a password there is only the passkey, which counts as two factors.
    secondStep: !password || totpSince !== undefined,
    codes: left >= fewCodes,
    email,
  }
  const isStuck = !email && left === 0
  return { isGood, isStuck, next: isStuck ? 'codes' : safetyParts.find((part) => !isGood[part]) }
}
