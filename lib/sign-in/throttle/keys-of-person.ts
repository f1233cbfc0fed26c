import { recoveryInbox } from '#lib/account/email/letter-throttle'
import { factorKey } from '#lib/sign-in/second-factor/factor-try'
import { accountKey, knownKeys, type Secret } from './sign-in-try.ts'

/**
 * The beginnings of all keys under which tries at one account are counted: sign-in by username or address, second factor,
 * recovery, and new passwords. Networks count for themselves and are no part of it.
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
