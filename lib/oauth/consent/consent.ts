import { sha256 } from '#lib/crypto/hash'
import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import { isOnDevice } from '#lib/oauth/client/redirect-uri'
import { expandBundle, holdsScope, knownScopes, profileScopes, withoutDeclined } from '#lib/oauth/scope'
import type { EmailChoice } from '#lib/oauth/store'
import type { ConsentRecord, ConsentStore } from './store.ts'

/** The content of the consent page. */
export type ConsentQuestion = {
  /** The scopes to ask about; a required one cannot be unticked. */
  scopes: AskedScope[]
  /** Scopes that were decided before and are not asked again. */
  settled: { name: string; granted: boolean }[]
  /** Whether the page asks for an e-mail address, and whether the app requires one. */
  email: Client['email']
  /** The earlier choice of the address; undefined if there is none. */
  emailChoice: EmailChoice | undefined
}
export type AskedScope = { name: string; required: boolean; isNew: boolean; chosen: boolean }

/** A request and its app. For the account's page about an app, `askingAgain` makes the request. */
export type Asking = {
  request: { scopes: string[]; prompt: string[]; redirectUri: string }
  client: Pick<Client, 'kind' | 'requiredScopes' | 'email'>
}

/** Returns whether the stored consent covers this request, so that the consent page is skipped. */
export const consentCovers = (asking: Asking, record: ConsentRecord | undefined): boolean =>
  record !== undefined && !isUnproven(asking) && undecided(asking, record).length === 0

/** Returns the requested scopes that the stored consent grants. */
export function grantedByRecord(request: Asking['request'], record: ConsentRecord): string[] {
  return withoutDeclined(request.scopes, new Set(askedOf(request).filter((scope) => !record.granted.includes(scope))))
}

/**
 * Returns the content of the consent page. Optional scopes start ticked, because the person can "uncheck" them
 * (specification §2.7).
 */
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

/** Returns the team and the scopes that the consent page names as one text, for a hidden field of its form. */
export const askedAbout = ({ scopes }: ConsentQuestion, { teamId }: Pick<Client, 'teamId'>): string =>
  [teamId, ...scopes.map(({ name }) => name)].join(' ')

/**
 * Returns the decision of a submitted form. A form cannot grant scopes that the page did not ask for, nor decline
 * required ones.
 */
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

/** Returns whether a relay address may be chosen: if the service offers them, or if the person chose one before. */
export const mayHide = (
  { offersRelay }: { offersRelay: boolean },
  before: { emailChoice?: EmailChoice | undefined } | undefined,
): boolean => offersRelay || before?.emailChoice === 'hidden'

/** Returns the decision with this choice of address and the `email` scope granted; the other scopes stay. */
export const withEmail = (record: ConsentRecord, emailChoice: 'regular' | 'hidden'): ConsentRecord =>
  tidy({
    granted: [...record.granted, 'email'],
    declined: record.declined.filter((scope) => scope !== 'email'),
    emailChoice,
  })

/** Returns the decision without the `email` scope, so that the next request asks for an address again. */
export const withoutEmail = ({ granted, declined }: ConsentRecord): ConsentRecord => ({
  granted: granted.filter((scope) => scope !== 'email'),
  declined: declined.filter((scope) => scope !== 'email'),
  emailChoice: 'none',
})

/** The scopes that a new decision adds and removes, and whether it changes the shared address. */
export type ConsentChange = { gained: string[]; lost: string[]; emailChanged: boolean }

export function consentChange(before: ConsentRecord | undefined, after: ConsentRecord): ConsentChange {
  const beyond = (scopes: string[], others: string[] = []) => scopes.filter((scope) => !others.includes(scope))
  return {
    gained: beyond(after.granted, before?.granted),
    lost: beyond(before?.granted ?? [], after.granted),
    emailChanged: before !== undefined && before.emailChoice !== after.emailChoice,
  }
}

/** A person's decision about an app, and the stored decision that their page showed. */
export type Decision = {
  personId: string
  client: { id: string; name: string }
  before: ConsentRecord | undefined
  after: ConsentRecord
}

type Needs = { consents: Pick<ConsentStore, 'replaceConsent'>; now(): Date }

/**
 * Stores a decision and returns what changed; undefined if another tab has stored a decision since the page was
 * shown.
 */
export async function keepConsent(
  { consents, now }: Needs,
  { personId, client, before, after }: Decision,
): Promise<ConsentChange | undefined> {
  const kept = await consents.replaceConsent({ personId, appId: client.id, before, after, now: now() })
  return kept ? consentChange(before, after) : undefined
}

/**
 * Returns the request behind the account's page about an app: every decided scope that the app or an API of its team is
 * still registered for. Decisions about other scopes stay stored.
 */
export const askingAgain = (
  client: Client,
  { granted, declined }: ConsentRecord,
  apis: readonly Api[] = [],
): Asking => ({
  client,
  request: {
    scopes: [
      ...knownScopes.filter((scope) => holdsScope(client.scopes, scope)),
      ...apis.flatMap(({ scopes }) => scopes),
    ].filter((scope) => granted.includes(scope) || declined.includes(scope)),
    prompt: ['consent'],
    redirectUri: client.redirectUris[0] as string,
  },
})

/** Returns whether a decision equals the stored one. */
export function isSameDecision(record: ConsentRecord | undefined, other: ConsentRecord): boolean {
  const textOf = ({ granted, declined, emailChoice }: ConsentRecord) => [granted, declined, emailChoice].join('\0')
  return record !== undefined && textOf(record) === textOf(other)
}

/** Reads the choice of address; a required address can be hidden but not refused. */
function readEmailChoice({ client }: Asking, sent: string | undefined): EmailChoice {
  if (sent === 'regular' || sent === 'hidden') return sent
  return client.email === 'required' ? 'regular' : 'none'
}

/** Lists the scopes to ask about: all of them for the first consent or prompt=consent, else those that are new or newly required. */
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
 * Returns whether another app on the device could receive the response; then the person is asked every time (OAuth
 * 2.1 §7.3.1). An app with a secret on plain http://localhost is exempt: it can be registered only if the issuer runs
 * on loopback too.
 */
export const isUnproven = ({
  request: { redirectUri },
  client,
}: {
  request: Pick<Asking['request'], 'redirectUri'>
  client: Pick<Asking['client'], 'kind'>
}): boolean => isOnDevice(redirectUri) && (client.kind === 'public' || !redirectUri.startsWith('http:'))

const decidedIn = (record: ConsentRecord | undefined) => (record ? [...record.granted, ...record.declined] : [])

/** Lists the scopes that a person decides on; `profile` is decided by its nine scopes. */
const askedOf = ({ scopes }: Asking['request']) => scopes.filter((scope) => scope !== 'profile')
const bundleIn = ({ scopes }: Asking['request']) => scopes.filter((scope) => scope === 'profile')

/** Lists the required scopes: `openid`, and those that the app is registered to require. */
function requiredOf({ request, client }: Asking): string[] {
  const email = client.email === 'required' ? ['email'] : []
  const required = ['openid', ...expandBundle(client.requiredScopes), ...email]
  return askedOf(request).filter((scope) => required.includes(scope))
}

/** Sorts the scopes, those of APIs last, and removes duplicates; keeps `profile` only with all of its nine scopes. */
function tidy({ granted, declined, emailChoice }: ConsentRecord): ConsentRecord {
  const whole = profileScopes.every((scope) => granted.includes(scope))
  return {
    granted: inOrder(granted).filter((scope) => scope !== 'profile' || whole),
    declined: inOrder(declined),
    emailChoice,
  }
}

const inOrder = (scopes: string[]): string[] => [
  ...knownScopes.filter((scope) => scopes.includes(scope)),
  ...[...new Set(scopes)].filter((scope) => !knownScopes.includes(scope)).sort(),
]

/**
 * Returns a fingerprint of the stored consent. A form carries it; a mismatch on submit shows that the form is stale.
 */
export const consentMark = ({ granted, declined, emailChoice }: ConsentRecord): string =>
  sha256([[...granted].sort().join(' '), [...declined].sort().join(' '), emailChoice].join('\0')).slice(0, 22)
