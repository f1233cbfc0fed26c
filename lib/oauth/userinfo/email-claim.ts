import type { Grant } from '#lib/oauth/store'

/**
 * Returns the e-mail claims: the person's own address, or the relay address that forwards to it (specification §2.7). No
 * claims, rather than defaults, if `email` is not granted or no address is bound.
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
  // A relay address without a bound address behind it delivers nothing.
  if (emailChoice === 'none' || person.email === undefined) return undefined
  if (emailChoice === 'regular') return person.email
  return alias === undefined ? undefined : `${alias}@${relayDomain}`
}
