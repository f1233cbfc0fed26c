import type { Grant } from '#lib/oauth/store'

/**
 * Returns the e-mail claims: the person's own address, or the relay address that forwards to it (specification §2.7).
 * Without the `email` scope or a bound address, the claims are absent and have no defaults.
 */
export function emailClaim(
  { relayDomain }: { relayDomain: string },
  grant: Pick<Grant, 'emailChoice' | 'alias' | 'person'>,
  scopes: readonly string[],
): { email?: string; email_verified?: true } {
  const email = scopes.includes('email') ? addressOf(grant, relayDomain) : undefined
  return email === undefined ? {} : { email, email_verified: true }
}

function addressOf(
  { emailChoice, alias, person }: Pick<Grant, 'emailChoice' | 'alias' | 'person'>,
  relayDomain: string,
) {
  // Without a bound address, mail to the relay address is not delivered.
  if (emailChoice === 'none' || person.email === undefined) return undefined
  if (emailChoice === 'regular') return person.email
  return alias === undefined ? undefined : `${alias}@${relayDomain}`
}
