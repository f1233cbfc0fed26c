import type { Client } from '#lib/oauth/client/client'
import { type ConsentQuestion, consentCovers, consentQuestion, grantedByRecord } from '#lib/oauth/consent/consent'
import type { ConsentRecord } from '#lib/oauth/consent/store'
import { OAuthError } from '#lib/oauth/error'
import type { EmailChoice } from '#lib/oauth/store'
import { unmetClass } from './context-class.ts'
import type { AuthorizationRequest } from './request.ts'

/**
 * The completed steps of a request. They are sealed into the request and valid only for the session with `sessionId`
 * (design §3).
 */
export type Progress = {
  sessionId: string
  signedIn: boolean
  consented: boolean
  chosen?: boolean
  agreed?: Agreed
}

/**
 * The decision of a person who must bind an address first (specification §2.7, e-mail rule 3). The decision takes
 * effect once an address is bound; cancelling before that shares nothing. `upon` is the fingerprint of the team and the
 * stored consent that the form showed.
 */
export type Agreed = { decision: SharingDecision; upon: string }
export type SharingDecision = ConsentRecord & { emailChoice: 'regular' | 'hidden' }

export type Situation = {
  request: AuthorizationRequest
  client: Client
  progress: Progress | undefined
  now: Date
  session: { id: string; authenticatedAt: Date } | undefined
  /** Whether a new sign-in can reach the class that the app prefers; the session has not reached it. */
  canStepUp: boolean
  /** Whether the request requires a class that the session has not reached (OpenID Connect Core §5.5.1.1). */
  isClassUnmet?: boolean
  person: { hasEmail: boolean; subject: string | undefined } | undefined
  consent: ConsentRecord | undefined
}

export type NextStep =
  | { step: 'sign-in' }
  | { step: 'choose-account' }
  | { step: 'consent'; question: ConsentQuestion }
  | { step: 'bind-email' }
  | { step: 'done'; scopes: string[]; emailChoice: EmailChoice; consent: ConsentRecord }
  | { step: 'refuse'; error: OAuthError }

const refuse = (error: OAuthError): NextStep => ({ step: 'refuse', error })
const mustSignInError = () => new OAuthError('login_required', 'The person must sign in.')

/**
 * Returns the next step of an authorization request. Every page returns to the dispatcher, which calls this function.
 */
export function nextStep(situation: Situation): NextStep {
  const { request, client, session, person, consent } = situation
  const silent = request.prompt.includes('none')
  if (!session || !person || mustSignIn(situation)) {
    // Prevents a redirect loop when the hinted person never signs in.
    const isLoop = session !== undefined && signedInFor(situation)
    return silent || isLoop ? refuse(mustSignInError()) : { step: 'sign-in' }
  }
  if (situation.isClassUnmet) return refuse(silent && situation.canStepUp ? mustSignInError() : unmetClass())
  if (mustChoose(situation)) return { step: 'choose-account' }
  if (client.email === 'required' && request.scopes.includes('email') && !person.hasEmail) {
    return silent
      ? refuse(
          new OAuthError(
            'interaction_required',
            'The person must add an e-mail address. Send the request without prompt=none.',
          ),
        )
      : toBind(situation)
  }
  if (awaitsAddress(situation)) return toBind(situation)
  if (mustConsent(situation)) {
    return silent
      ? refuse(
          new OAuthError('consent_required', 'The person must give consent. Send the request without prompt=none.'),
        )
      : { step: 'consent', question: consentQuestion({ request, client }, consent) }
  }
  const record = consent as ConsentRecord
  const scopes = grantedByRecord(request, record)
  return { step: 'done', scopes, emailChoice: emailChoiceOf(request, record), consent: record }
}

/**
 * A sign-in for this request satisfies prompt=login and max_age, which otherwise could require a second one. A hint
 * that names another person still requires a sign-in.
 */
function mustSignIn({ request, session, progress, now, person, canStepUp }: Situation): boolean {
  if (!session) return true
  if (request.hintedSubject !== undefined && request.hintedSubject !== person?.subject) return true
  if (signedInFor({ progress, session })) return false
  if (request.prompt.includes('login')) return true
  // acr_values are voluntary, so a silent request gets the class of the session (OpenID Connect Core §3.1.2.1).
  if (canStepUp && !request.prompt.includes('none')) return true
  if (request.maxAge === undefined) return false
  return request.maxAge === 0 || now.getTime() - session.authenticatedAt.getTime() > request.maxAge * 1000
}

/** A sign-in for this request also chooses the account. */
function mustChoose({ request, progress, session }: Situation): boolean {
  const chosen = progress?.chosen === true && progress.sessionId === session?.id
  return request.prompt.includes('select_account') && !chosen && !signedInFor({ progress, session })
}

const signedInFor = ({ progress, session }: Pick<Situation, 'progress' | 'session'>): boolean =>
  progress?.signedIn === true && progress.sessionId === session?.id

function mustConsent({ request, client, session, progress, consent }: Situation): boolean {
  const consented = progress?.consented === true && progress.sessionId === session?.id
  if (consented && consent) return false
  return request.prompt.includes('consent') || !consentCovers({ request, client }, consent)
}

/** Returns whether the person agreed to share an address but has not bound one. */
const awaitsAddress = ({ progress, session, person }: Situation): boolean =>
  progress?.agreed !== undefined && progress.sessionId === session?.id && person?.hasEmail === false

/**
 * Binding an address requires a sign-in within the last ten minutes, even if the person signed in for this request
 * earlier: the address can recover the account (security checklist, "Step-up").
 */
const toBind = ({ session, now }: Situation): NextStep => {
  const age = session ? now.getTime() - session.authenticatedAt.getTime() : Number.POSITIVE_INFINITY
  return { step: age < stepUpMinutes * 60_000 ? 'bind-email' : 'sign-in' }
}

/** Minutes after a sign-in in which an address or a credential may be changed (security checklist, "Step-up"). */
export const stepUpMinutes = 10

const emailChoiceOf = (request: AuthorizationRequest, record: ConsentRecord): EmailChoice =>
  request.scopes.includes('email') ? record.emailChoice : 'none'
