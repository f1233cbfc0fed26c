import type { Client } from '#lib/oauth/client/client'
import {
  type ConsentQuestion,
  type ConsentRecord,
  consentCovers,
  consentQuestion,
  grantedByRecord,
} from '#lib/oauth/consent/consent'
import { OAuthError } from '#lib/oauth/error'
import type { EmailChoice } from '#lib/oauth/store'
import type { AuthorizationRequest } from './request.ts'

/** How far a person has come with this request; sealed into it and true only for the session it names (design §3). */
export type Progress = {
  sessionId: string
  signedIn: boolean
  consented: boolean
  chosen?: boolean
  agreed?: Agreed
}

/**
 * What was decided on the consent page by who has to bind an address first (specification §2.7, e-mail rule 3). It is
 * kept once there is one: whoever cancels until then has shared nothing. `upon` marks the record it was decided upon.
 */
export type Agreed = { decision: SharingDecision; upon: string | undefined }
export type SharingDecision = ConsentRecord & { emailChoice: 'regular' | 'hidden' }

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
  | { step: 'choose-account' }
  | { step: 'consent'; question: ConsentQuestion }
  | { step: 'bind-email' }
  | { step: 'done'; scopes: string[]; emailChoice: EmailChoice; consent: ConsentRecord }
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

/** prompt, max_age and a hinted person are met by signing in once for this request, never by comparing clocks again. */
function mustSignIn({ request, session, progress, now, person }: Situation): boolean {
  if (!session) return true
  if (request.hintedSubject !== undefined && request.hintedSubject !== person?.subject) return true
  if (signedInFor({ progress, session })) return false
  if (request.prompt.includes('login')) return true
  if (request.maxAge === undefined) return false
  return request.maxAge === 0 || now.getTime() - session.authenticatedAt.getTime() > request.maxAge * 1000
}

/** Signing in for this request is choosing an account too. */
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

/** Who chose to share an address without having one binds it now, and goes straight on to the code. */
const awaitsAddress = ({ progress, session, person }: Situation): boolean =>
  progress?.agreed !== undefined && progress.sessionId === session?.id && person?.hasEmail === false

/**
 * Whoever reads the bound address can get into the account: binding one takes a sign-in of the last ten minutes, also
 * where the one for this request is older (security checklist, "Step-up").
 */
const toBind = ({ session, now }: Situation): NextStep => {
  const age = session ? now.getTime() - session.authenticatedAt.getTime() : Number.POSITIVE_INFINITY
  return { step: age < stepUp ? 'bind-email' : 'sign-in' }
}
const stepUp = 10 * 60_000

const emailChoiceOf = (request: AuthorizationRequest, record: ConsentRecord): EmailChoice =>
  request.scopes.includes('email') ? record.emailChoice : 'none'
