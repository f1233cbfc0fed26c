import { username as rule } from './person-rules.ts'

/** Why somebody cannot have a name; each is told in words beside the field. */
export type NameProblem = 'missing' | 'short' | 'long' | 'characters' | 'reserved' | 'taken' | 'lookalike'

/** What is wrong with a name before anybody is asked whether it is free (design §5). */
export function nameProblem(name: string, serviceName: string): NameProblem | undefined {
  if (name === '') return 'missing'
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) return 'characters'
  if (name.length < 3) return 'short'
  if (!rule.safeParse(name).success) return 'long'
  return isReserved(name, serviceName) ? 'reserved' : undefined
}

/**
 * What a name looks like at a glance: names with the same skeleton are taken for one another (after Unicode TS #39,
 * for the few characters a username may have).
 */
export function skeleton(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replace(/[._]/g, '-')
}

/** Whether a name would be read as somebody with a say here; numbers and words around it do not make it another. */
function isReserved(name: string, serviceName: string): boolean {
  const service = skeleton(serviceName.replace(/[^a-z0-9]/gi, ''))
  const parts = name
    .split(/[._-]+/)
    .flatMap((part) => [part.replace(/^\d+|\d+$/g, '')].filter(Boolean))
    .map(skeleton)
  const bare = [parts.join('-'), parts.join('')]
  return (
    reservedSkeletons.has(skeleton(name).replace(/^-+|-+$/g, '')) ||
    // Short words stand for names of people too, with the year of their birth.
    bare.some((one) => (one.length > 4 && reservedSkeletons.has(one)) || isOfService(one, service)) ||
    (parts.length > 1 && parts.every((part) => reservedSkeletons.has(part))) ||
    parts.some((part) => part === service || speaksForUs.has(part))
  )
}

/** The service, or a part of it: a name that only begins as the service does is another. */
function isOfService(shown: string, service: string): boolean {
  if (service === '') return false
  const rests = [
    shown.startsWith(service) && shown.slice(service.length),
    shown.endsWith(service) && shown.slice(0, -service.length),
  ]
  return rests.some((rest) => rest !== false && (rest === '' || reservedSkeletons.has(rest)))
}

// Who runs a service, what its mail and its pages are called (RFC 2142), and words that stand for nobody.
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
/** Whatever stands beside one of these, it sounds like us. */
const speaksForUs = new Set(
  ['admin', 'administrator', 'administration', 'moderator', 'official', 'security', 'staff', 'support', 'sysadmin'].map(
    skeleton,
  ),
)
const reservedSkeletons = new Set(reserved.trim().split(/\s+/).map(skeleton))
