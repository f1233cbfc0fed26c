import { recoveryInbox } from '#lib/account/email/letter-throttle'
import { factorKey } from '#lib/sign-in/second-factor/factor-throttle'
import { accountKey, knownKeys, type Secret } from './sign-in-throttle.ts'

/**
 * Returns the prefixes of all keys that count attempts at one account: sign-in by username or address, second factor,
 * recovery, and new passwords. The counts of whole networks are not among them.
 */
export function throttleKeysOf({ personId, username, email }: Counted): string[] {
  const logins = [username, ...(email ? [email] : [])]
  const secrets: Secret[] = ['password', 'recovery-code']
  return [
    ...secrets.flatMap((secret) => [...logins.map((login) => accountKey(secret, login)), knownKeys(secret, personId)]),
    factorKey(personId),
    ...logins.flatMap((login) => ['few', 'many', 'from'].map((kind) => `letters:${kind}:${recoveryInbox(login)}`)),
    `letters:known:${personId}:`,
    `letters:confirmation:${personId}`,
    `guesses:known:${personId}:`,
    ...['new-password-of', 'new-password-after', 'new-codes-of'].map((name) => `${name}:${personId}`),
  ]
}

type Counted = { personId: string; username: string; email: string | undefined }
