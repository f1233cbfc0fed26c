import type { Client } from '../client.ts'
import { OAuthError } from '../error.ts'
import type { EmailChoice } from '../store.ts'
import { type ConsentQuestion, type ConsentRecord, consentCovers, consentQuestion, grantedByRecord } from './consent.ts'
import type { AuthorizationRequest } from './request.ts'

/** How far a person has come with this request; sealed into it and true only for the session it names (design §3). */
export type Progress = { sessionId: string; signedIn: boolean; consented: boolean }

export type Situation = {
  request: AuthorizationRequest
  client: Client
  progress: Progress | undefined
  now: Date
  session: { id: string; authenticatedAt: Date } | undefined
  person: { hasEmail: boolean; subject: string | undefined } | undefined
  consent: ConsentRecord | undefined
}

export type NextStep =
  | { step: 'sign-in' }
  | { step: 'consent'; question: ConsentQuestion }
  | { step: 'done'; scopes: string[]; emailChoice: EmailChoice }
  | { step: 'refuse'; error: OAuthError }

const refuse = (error: OAuthError): NextStep => ({ step: 'refuse', error })

/**
 * The one place that decides what comes next on the way into an app. Pages never know what follows them: each returns
 * to the dispatcher, which asks here.
 */
export function nextStep(situation: Situation): NextStep {
  const { request, client, session, person, consent } = situation
  const silent = request.prompt.includes('none')
  if (!session || !person || mustSignIn(situation)) {
    // Who signed in for this request, and still is not the person the app named, would go round for ever.
    const inVain = session !== undefined && signedInFor(situation)
    return silent || inVain ? refuse(new OAuthError('login_required', 'The person must sign in.')) : { step: 'sign-in' }
  }
  if (client.email === 'required' && request.scopes.includes('email') && !person.hasEmail) {
    return refuse(
      silent
        ? new OAuthError('interaction_required', 'The person must first bind an e-mail address.')
        : new OAuthError('access_denied', 'This app needs an e-mail address, and the account has none.'),
    )
  }
  if (mustConsent(situation)) {
    return silent
      ? refuse(new OAuthError('consent_required', 'The person must first agree.'))
      : { step: 'consent', question: consentQuestion({ request, client }, consent) }
  }
  const record = consent as ConsentRecord
  return { step: 'done', scopes: grantedByRecord(request, record), emailChoice: emailChoiceOf(request, record) }
}

/** prompt, max_age and a hinted person are met by signing in once for this request, never by comparing clocks again. */
function mustSignIn({ request, session, progress, now, person }: Situation): boolean {
  if (!session) return true
  if (request.hintedSubject !== undefined && request.hintedSubject !== person?.subject) return true
  if (signedInFor({ progress, session })) return false
  if (request.prompt.includes('login') || request.prompt.includes('select_account')) return true
  if (request.maxAge === undefined) return false
  return request.maxAge === 0 || now.getTime() - session.authenticatedAt.getTime() > request.maxAge * 1000
}

const signedInFor = ({ progress, session }: Pick<Situation, 'progress' | 'session'>): boolean =>
  progress?.signedIn === true && progress.sessionId === session?.id

function mustConsent({ request, client, session, progress, consent }: Situation): boolean {
  const consented = progress?.consented === true && progress.sessionId === session?.id
  if (consented && consent) return false
  return request.prompt.includes('consent') || !consentCovers({ request, client }, consent)
}

const emailChoiceOf = (request: AuthorizationRequest, record: ConsentRecord): EmailChoice =>
  request.scopes.includes('email') ? record.emailChoice : 'none'
