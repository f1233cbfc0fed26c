import type { Client } from '../client.ts'
import { isUnprovenRedirect } from '../redirect-uri.ts'
import { expandBundle, withoutDeclined } from '../scope.ts'
import type { EmailChoice } from '../store.ts'
import type { AuthorizationRequest } from './request.ts'

/** What a person decided for an app before (design §3 step 4). */
export type ConsentRecord = { granted: string[]; declined: string[]; emailChoice: EmailChoice }

/** What to ask: each scope once, and whether it can be unticked. */
export type ConsentQuestion = {
  scopes: { name: string; required: boolean; isNew: boolean; chosen: boolean }[]
  email: Client['email']
}

type Asking = { request: AuthorizationRequest; client: Client }

/** Whether the record on file answers this request, so that nothing need be asked. */
export function consentCovers({ request, client }: Asking, record: ConsentRecord | undefined): boolean {
  // Anybody on the device may answer there, and a public app cannot prove who it is (OAuth 2.1 §7.3.1).
  const unproven = client.kind === 'public' && isUnprovenRedirect(request.redirectUri)
  if (!record || unproven) return false
  const decided = [...record.granted, ...record.declined]
  const required = requiredOf({ request, client })
  const everyIn = (known: string[], scopes: string[]) => scopes.every((scope) => known.includes(scope))
  return everyIn(decided, askedOf(request)) && everyIn(record.granted, required)
}

/** What this request gives when it is not asked again: what was granted before, of what is asked for now. */
export function grantedByRecord(request: AuthorizationRequest, record: ConsentRecord): string[] {
  return withoutDeclined(request.scopes, new Set(askedOf(request).filter((scope) => !record.granted.includes(scope))))
}

/** The question of the consent page; optional scopes start ticked, because the specification says "uncheck". */
export function consentQuestion({ request, client }: Asking, record: ConsentRecord | undefined): ConsentQuestion {
  const required = requiredOf({ request, client })
  const decided = record ? [...record.granted, ...record.declined] : []
  return {
    email: request.scopes.includes('email') ? client.email : 'none',
    scopes: askedOf(request).map((name) => ({
      name,
      required: required.includes(name),
      isNew: !decided.includes(name),
      chosen: !record?.declined.includes(name),
    })),
  }
}

/** What was sent from the page, held against the question: nobody grants more, or keeps back what is required. */
export function readDecision(
  { request, client }: Asking,
  sent: { scopes: readonly string[]; emailChoice: string | undefined },
): ConsentRecord {
  const required = requiredOf({ request, client })
  const emailChoice = readEmailChoice({ request, client }, sent.emailChoice)
  const kept = (scope: string) =>
    required.includes(scope) || (scope === 'email' ? emailChoice !== 'none' : sent.scopes.includes(scope))
  const declined = askedOf(request).filter((scope) => !kept(scope))
  return { granted: withoutDeclined(request.scopes, new Set(declined)), declined, emailChoice }
}

function readEmailChoice({ request, client }: Asking, sent: string | undefined): EmailChoice {
  if (!request.scopes.includes('email')) return 'none'
  if (client.email === 'required') return 'regular'
  return sent === 'regular' ? 'regular' : 'none'
}

/** What a person decides on: the bundle stands for its nine, which are asked for with it. */
const askedOf = (request: AuthorizationRequest) => request.scopes.filter((scope) => scope !== 'profile')

/** `openid` always; `email` when the app cannot do without. */
function requiredOf({ request, client }: Asking): string[] {
  const email = client.email === 'required' ? ['email'] : []
  const required = ['openid', ...expandBundle(client.requiredScopes), ...email]
  return askedOf(request).filter((scope) => required.includes(scope))
}

/** A new decision on top of the one before: what this request did not ask about stays as it was. */
export function mergeDecision(
  before: ConsentRecord | undefined,
  asked: readonly string[],
  now: ConsentRecord,
): ConsentRecord {
  const untouched = (scopes: readonly string[] = []) => scopes.filter((scope) => !asked.includes(scope))
  const declined = [...untouched(before?.declined), ...now.declined]
  return {
    // The bundle of an earlier grant goes when one of its nine is declined now.
    granted: withoutDeclined([...untouched(before?.granted), ...now.granted], new Set(declined)),
    declined,
    emailChoice: asked.includes('email') ? now.emailChoice : (before?.emailChoice ?? 'none'),
  }
}
