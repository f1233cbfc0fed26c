import { sha256 } from '#lib/crypto/hash'
import type { Client } from '#lib/oauth/client/client'
import { isOnDevice } from '#lib/oauth/client/redirect-uri'
import { expandBundle, holdsScope, knownScopes, profileScopes, withoutDeclined } from '#lib/oauth/scope'
import type { EmailChoice } from '#lib/oauth/store'

/** What a person decided for an app before (design §3 step 4). */
export type ConsentRecord = { granted: string[]; declined: string[]; emailChoice: EmailChoice }

/** What to ask, and what is only recalled. */
export type ConsentQuestion = {
  /** Each scope once, and whether it can be unticked. */
  scopes: AskedScope[]
  /** Decided before and not asked again. */
  settled: { name: string; granted: boolean }[]
  /** Whether an address is in question now. */
  email: Client['email']
  /** How it was given before; undefined when that was never decided. */
  emailChoice: EmailChoice | undefined
}
export type AskedScope = { name: string; required: boolean; isNew: boolean; chosen: boolean }

/** The request and the app that a decision is about; the account's page about an app makes up the request. */
export type Asking = {
  request: { scopes: string[]; prompt: string[]; redirectUri: string }
  client: Pick<Client, 'kind' | 'requiredScopes' | 'email'>
}

/** Whether the record on file answers this request, so that nothing need be asked. */
export const consentCovers = (asking: Asking, record: ConsentRecord | undefined): boolean =>
  record !== undefined && !isUnproven(asking) && undecided(asking, record).length === 0

/** What this request gives when it is not asked again: what was granted before, of what is asked for now. */
export function grantedByRecord(request: Asking['request'], record: ConsentRecord): string[] {
  return withoutDeclined(request.scopes, new Set(askedOf(request).filter((scope) => !record.granted.includes(scope))))
}

/** The question of the consent page; optional scopes start ticked, because the specification says "uncheck". */
export function consentQuestion(asking: Asking, record: ConsentRecord | undefined): ConsentQuestion {
  const open = openScopes(asking, record)
  const required = requiredOf(asking)
  const decided = decidedIn(record)
  return {
    scopes: open.map((name) => ({
      name,
      required: required.includes(name),
      isNew: !decided.includes(name),
      chosen: !record?.declined.includes(name),
    })),
    settled: askedOf(asking.request)
      .filter((name) => !open.includes(name))
      .map((name) => ({ name, granted: record?.granted.includes(name) === true })),
    email: open.includes('email') ? asking.client.email : 'none',
    emailChoice: decided.includes('email') ? record?.emailChoice : undefined,
  }
}

/** What a question is about, for its form to carry. */
export const askedAbout = ({ scopes }: ConsentQuestion): string => scopes.map(({ name }) => name).join(' ')

/** What is on record after the form was sent. Held against the question: nobody grants more, or keeps back what is required. */
export function decide(
  asking: Asking,
  record: ConsentRecord | undefined,
  sent: { scopes: readonly string[]; emailChoice: string | undefined },
): ConsentRecord {
  const open = openScopes(asking, record)
  const required = requiredOf(asking)
  const emailChoice = open.includes('email')
    ? readEmailChoice(asking, sent.emailChoice)
    : (record?.emailChoice ?? 'none')
  const kept = (scope: string) =>
    required.includes(scope) || (scope === 'email' ? emailChoice !== 'none' : sent.scopes.includes(scope))
  const untouched = (scopes: readonly string[] = []) => scopes.filter((scope) => !open.includes(scope))
  return tidy({
    granted: [...untouched(record?.granted), ...open.filter(kept), ...bundleIn(asking.request)],
    declined: [...untouched(record?.declined), ...open.filter((scope) => !kept(scope))],
    emailChoice,
  })
}

/** The record with the address given in this form: for who changes the form alone. */
export const withEmail = (record: ConsentRecord, emailChoice: 'regular' | 'hidden'): ConsentRecord =>
  tidy({
    granted: [...record.granted, 'email'],
    declined: record.declined.filter((scope) => scope !== 'email'),
    emailChoice,
  })

/** The record with the address neither given nor declined, so that it is asked for again. */
export const withoutEmail = ({ granted, declined }: ConsentRecord): ConsentRecord => ({
  granted: granted.filter((scope) => scope !== 'email'),
  declined: declined.filter((scope) => scope !== 'email'),
  emailChoice: 'none',
})

/** The scopes that a new decision grants and takes back, and whether it changes the address that is given. */
export type ConsentChange = { gained: string[]; lost: string[]; emailChanged: boolean }

export function consentChange(before: ConsentRecord | undefined, after: ConsentRecord): ConsentChange {
  const beyond = (scopes: string[], others: string[] = []) => scopes.filter((scope) => !others.includes(scope))
  return {
    gained: beyond(after.granted, before?.granted),
    lost: beyond(before?.granted ?? [], after.granted),
    emailChanged: before !== undefined && before.emailChoice !== after.emailChoice,
  }
}

/**
 * The same question once more, about all that was ever decided and the app may still have: what the account's page about
 * an app asks. What was decided about other scopes stays on record.
 */
export const askingAgain = (client: Client, { granted, declined }: ConsentRecord): Asking => ({
  client,
  request: {
    scopes: knownScopes.filter(
      (scope) => holdsScope(client.scopes, scope) && (granted.includes(scope) || declined.includes(scope)),
    ),
    prompt: ['consent'],
    redirectUri: client.redirectUris[0] as string,
  },
})

/** Whether nothing was decided but what is on record. */
export function isSameDecision(record: ConsentRecord | undefined, other: ConsentRecord): boolean {
  const said = ({ granted, declined, emailChoice }: ConsentRecord) => [granted, declined, emailChoice].join('\0')
  return record !== undefined && said(record) === said(other)
}

/** A required address can be hidden, not refused. */
function readEmailChoice({ client }: Asking, sent: string | undefined): EmailChoice {
  if (sent === 'regular' || sent === 'hidden') return sent
  return client.email === 'required' ? 'regular' : 'none'
}

/** What the form asks about: all of it the first time and when the app says so, else what is new or has become required. */
const openScopes = (asking: Asking, record: ConsentRecord | undefined): string[] =>
  !record || isUnproven(asking) || asking.request.prompt.includes('consent')
    ? askedOf(asking.request)
    : undecided(asking, record)

function undecided(asking: Asking, record: ConsentRecord): string[] {
  const required = requiredOf(asking)
  return askedOf(asking.request).filter(
    (scope) => !record.granted.includes(scope) && (required.includes(scope) || !record.declined.includes(scope)),
  )
}

/**
 * Anybody on the device may answer there (OAuth 2.1 §7.3.1). An app with a secret on plain http://localhost is another
 * matter: it can be registered only where the issuer runs on this machine too.
 */
const isUnproven = ({ request: { redirectUri }, client }: Asking) =>
  isOnDevice(redirectUri) && (client.kind === 'public' || !redirectUri.startsWith('http:'))

const decidedIn = (record: ConsentRecord | undefined) => (record ? [...record.granted, ...record.declined] : [])

/** What a person decides on: the bundle stands for its nine, which are asked for with it. */
const askedOf = ({ scopes }: Asking['request']) => scopes.filter((scope) => scope !== 'profile')
const bundleIn = ({ scopes }: Asking['request']) => scopes.filter((scope) => scope === 'profile')

/** `openid` always; `email` when the app cannot do without. */
function requiredOf({ request, client }: Asking): string[] {
  const email = client.email === 'required' ? ['email'] : []
  const required = ['openid', ...expandBundle(client.requiredScopes), ...email]
  return askedOf(request).filter((scope) => required.includes(scope))
}

/** In one order, each once, and the bundle only with all of its nine. */
function tidy({ granted, declined, emailChoice }: ConsentRecord): ConsentRecord {
  const whole = profileScopes.every((scope) => granted.includes(scope))
  return {
    granted: knownScopes.filter((scope) => granted.includes(scope) && (scope !== 'profile' || whole)),
    declined: knownScopes.filter((scope) => declined.includes(scope)),
    emailChoice,
  }
}

/** A mark of what is on record, for a form to carry: it tells a page that shows what no longer stands. */
export const consentMark = ({ granted, declined, emailChoice }: ConsentRecord): string =>
  sha256([[...granted].sort().join(' '), [...declined].sort().join(' '), emailChoice].join('\0')).slice(0, 22)
