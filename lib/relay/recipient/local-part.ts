import { alphabet } from './alphabet.ts'

/** Whom a recipient at our domain names; the name spaces are disjoint. */
export type LocalPart =
  | { kind: 'alias'; name: string }
  | { kind: 'reverse'; token: string }
  | { kind: 'bounce'; token: string }
  | { kind: 'role'; name: Role }
  | { kind: 'unknown' }

const roles = ['postmaster', 'abuse', 'mailer-daemon', 'noreply', 'hostmaster', 'webmaster', 'security'] as const
export type Role = (typeof roles)[number]

/** What stands before the @ (relay §2): in any case, but with no tag, dot, quote or comment. */
export function readLocalPart(text: string): LocalPart {
  // Some letters beyond ASCII have a lower case within it.
  const folded = /^[!-~]+$/.test(text) ? text.toLowerCase() : ''
  const role = roles.find((name) => name === folded)
  if (role) return { kind: 'role', name: role }
  const [, prefix, rest = ''] = /^(r-|b-)?([^-]+)$/.exec(folded) ?? []
  if (!isSpelled.test(rest)) return { kind: 'unknown' }
  if (prefix === 'r-' && rest.length === 20) return { kind: 'reverse', token: rest }
  if (prefix === 'b-' && rest.length === 42) return { kind: 'bounce', token: rest }
  if (!prefix && rest.length === 12 && /^[a-z]/.test(rest)) return { kind: 'alias', name: rest }
  return { kind: 'unknown' }
}

/** The local part that is read as this. */
export function writeLocalPart(part: Exclude<LocalPart, { kind: 'unknown' }>): string {
  switch (part.kind) {
    case 'reverse':
      return `r-${part.token}`
    case 'bounce':
      return `b-${part.token}`
    case 'alias':
    case 'role':
      return part.name
  }
}

const isSpelled = new RegExp(`^[${alphabet}]+$`)
