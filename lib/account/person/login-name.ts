import { domainToASCII } from 'node:url'
import { text } from '#lib/text/text-rules'

/** Returns the stored spelling of a mail address: in lower case, an internationalized domain in A-labels (RFC 5890). */
export function foldAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (at < 0 || !internationalized.test(domain)) return address.toLowerCase()
  // The conversion returns '' for a domain that cannot be registered; the address stays as it is and is rejected later.
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.toLowerCase()
}

/** A domain of letters, digits and dots, at least one outside ASCII; domainToASCII alone accepts more than that. */
const internationalized = /^(?=.*[^\p{ASCII}])[\p{L}\p{M}\p{N}\u3002\uff0e\uff61.-]{1,253}$/u

/** Returns the spelling in which a username, or an address in its place, is stored and looked up. */
export const foldUsername = (username: string): string => foldAddress(username.trim().normalize('NFKC'))

/** A username as it is stored: in lower case, so that "Ada" and "ada" are the same. */
export const username = text
  .regex(
    /^[a-z0-9][a-z0-9._-]{2,31}$/i,
    'must be 3 to 32 of the characters a-z 0-9 . _ -, beginning with a letter or digit',
  )
  .transform((value) => value.toLowerCase())

/** Why a person cannot have a username; the page shows a text for each beside the field. */
export type NameProblem = 'missing' | 'short' | 'long' | 'characters' | 'reserved' | 'taken' | 'lookalike'

/** Returns the problem of a username that needs no look-up in the database (design §5). */
export function nameProblem(name: string, serviceName: string): NameProblem | undefined {
  if (name === '') return 'missing'
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) return 'characters'
  if (name.length < 3) return 'short'
  if (!username.safeParse(name).success) return 'long'
  return isReserved(name, serviceName) ? 'reserved' : undefined
}

/** Returns the skeleton of a username: names with the same skeleton are confusable (after Unicode TS #39). */
export function skeleton(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replace(/[._]/g, '-')
}

/** Whether a name suggests authority over the service, also with digits or other words around it. */
function isReserved(name: string, serviceName: string): boolean {
  const service = skeleton(serviceName.replace(/[^a-z0-9]/gi, ''))
  const parts = name
    .split(/[._-]+/)
    .flatMap((part) => [part.replace(/^\d+|\d+$/g, '')].filter(Boolean))
    .map(skeleton)
  const bare = [parts.join('-'), parts.join('')]
  return (
    reservedSkeletons.has(skeleton(name).replace(/^-+|-+$/g, '')) ||
    // Ignores short words: with digits, they are names of people with a year of birth.
    bare.some((one) => (one.length > 4 && reservedSkeletons.has(one)) || isOfService(one, service)) ||
    (parts.length > 1 && parts.every((part) => reservedSkeletons.has(part))) ||
    parts.some((part) => part === service || speaksForUs.has(part))
  )
}

/** Whether a name is the service's name, alone or with a reserved word; any other name may start or end with it. */
function isOfService(shown: string, service: string): boolean {
  if (service === '') return false
  const rests = [
    shown.startsWith(service) && shown.slice(service.length),
    shown.endsWith(service) && shown.slice(0, -service.length),
  ]
  return rests.some((rest) => rest !== false && (rest === '' || reservedSkeletons.has(rest)))
}

// Roles that run a service, its mailboxes (RFC 2142) and pages, and placeholder names.
const reserved = `
  abuse account accounts admin administrator administration anonymous api app apps auth authenticate billing bot
  consent console contact contributor daemon deleted demo developer developers dns everyone example faq feedback ftp
  guest help helpdesk host hostmaster identity info inbox internal invite issuer localhost login logout mail
  mailer-daemon marketing me moderator moderators mod news no-reply nobody noc noreply null oauth oauth2
  official oidc operator operators owner passkey passwd password payment payments phish phishing postern postmaster
  privacy proxy recover recovery register registration relay root safety sales secure security self service services
  settings signin signout signup site sso staff status superuser support sysadmin system team tech terms test token
  trust trust-and-safety undefined unknown user username users verification verified verify webmaster website www you
`
/** Words that suggest authority over the service in combination with any other word. */
const speaksForUs = new Set(
  ['admin', 'administrator', 'administration', 'moderator', 'official', 'security', 'staff', 'support', 'sysadmin'].map(
    skeleton,
  ),
)
const reservedSkeletons = new Set(reserved.trim().split(/\s+/).map(skeleton))
