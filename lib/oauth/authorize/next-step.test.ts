import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Client } from '#lib/oauth/client/client'
import type { ConsentRecord } from '#lib/oauth/consent/consent'
import { clientWith, requestFor } from '#lib/testing/oauth/authorize-values'
import { type NextStep, nextStep, type Situation } from './next-step.ts'
import type { AuthorizationRequest, Prompt } from './request.ts'

const now = new Date('2026-11-20T10:00:00Z')
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000)

type Changed = Partial<Omit<Situation, 'request' | 'client'>> & {
  request?: Partial<AuthorizationRequest>
  client?: Partial<Client>
}

/** A person who signed in an hour ago and whose consent is stored. */
const situation = ({ request, client, ...changed }: Changed = {}): Situation => ({
  request: requestFor(request),
  client: clientWith(client),
  progress: undefined,
  now,
  session: { id: 's', authenticatedAt: secondsAgo(3600) },
  person: { hasEmail: true, subject: 'sub-of-ada' },
  consent: { granted: ['openid'], declined: [], emailChoice: 'none' },
  ...changed,
})

const said = (next: NextStep) => (next.step === 'refuse' ? next.error.code : next.step)
const step = (changed: Changed = {}) => said(nextStep(situation(changed)))
const signedIn = { sessionId: 's', signedIn: true, consented: false }
const consented = { sessionId: 's', signedIn: false, consented: true }
const nobody = { session: undefined, person: undefined, consent: undefined }
const prompt = (...wanted: Prompt[]) => ({ prompt: wanted })

describe('signing in', () => {
  it.each<[string, string, Changed]>([
    ['is not asked of who is signed in', 'done', {}],
    ['is asked of who is not', 'sign-in', nobody],
    ['is asked of a session whose person is gone', 'sign-in', { person: undefined, consent: undefined }],
    ['is never asked under none', 'login_required', { ...nobody, request: prompt('none') }],
    ['is passed silently under none', 'done', { request: prompt('none') }],
    ['is asked again by login', 'sign-in', { request: prompt('login') }],
    ['is asked once by login', 'done', { request: prompt('login'), progress: signedIn }],
    ['is asked which account by select_account', 'choose-account', { request: prompt('select_account') }],
    ['is asked once by select_account', 'done', { request: prompt('select_account'), progress: signedIn }],
    [
      'is not met by another session',
      'sign-in',
      { request: prompt('login'), progress: { ...signedIn, sessionId: 'o' } },
    ],
    ['is not met by agreeing', 'sign-in', { request: prompt('login'), progress: consented }],
    ['is not asked by consent', 'consent', { request: prompt('consent') }],
    ['comes before consent', 'sign-in', { request: prompt('consent', 'login') }],
    ['is followed by consent', 'consent', { request: prompt('consent', 'login'), progress: signedIn }],
    ['is asked again by max_age 0', 'sign-in', { request: { maxAge: 0 } }],
    ['is asked once by max_age 0', 'done', { request: { maxAge: 0 }, progress: signedIn }],
    [
      'is asked by max_age 0 of who came this second',
      'sign-in',
      { request: { maxAge: 0 }, session: { id: 's', authenticatedAt: now } },
    ],
    ['is not asked within max_age', 'done', { request: { maxAge: 3601 } }],
    ['is not asked at max_age', 'done', { request: { maxAge: 3600 } }],
    ['is asked after max_age', 'sign-in', { request: { maxAge: 3599 } }],
    ['is asked once after max_age', 'done', { request: { maxAge: 3599 }, progress: signedIn }],
    ['is required after max_age under none', 'login_required', { request: { maxAge: 3599, ...prompt('none') } }],
    ['is required by max_age 0 under none', 'login_required', { request: { maxAge: 0, ...prompt('none') } }],
    ['is not asked of the hinted person', 'done', { request: { hintedSubject: 'sub-of-ada' } }],
    [
      'is passed silently by the hinted person',
      'done',
      { request: { hintedSubject: 'sub-of-ada', ...prompt('none') } },
    ],
    ['is asked of who is not the hinted person', 'sign-in', { request: { hintedSubject: 'sub-of-bob' } }],
    [
      'is asked of who is new to the team when somebody is hinted',
      'sign-in',
      { request: { hintedSubject: 'sub-of-bob' }, person: { hasEmail: true, subject: undefined } },
    ],
    [
      'is required under none when somebody else is hinted',
      'login_required',
      { request: { hintedSubject: 'sub-of-bob', ...prompt('none') } },
    ],
    [
      'in vain as somebody else ends',
      'login_required',
      { request: { hintedSubject: 'sub-of-bob' }, progress: signedIn },
    ],
    [
      'is asked when another session signed in in vain',
      'sign-in',
      { request: { hintedSubject: 'sub-of-bob' }, progress: { ...signedIn, sessionId: 'other' } },
    ],
    ['is asked when the session ended after it', 'sign-in', { ...nobody, progress: signedIn }],
  ])('%s: %s', (_, expected, changed) => {
    expect(step(changed)).toBe(expected)
  })
})

describe('consent', () => {
  const agreed = { granted: ['openid', 'name'], declined: ['gender'], emailChoice: 'none' as const }
  const loopback = { redirectUri: 'http://127.0.0.1:4000/callback' }
  it.each<[string, string, Changed]>([
    ['is asked the first time', 'consent', { consent: undefined }],
    ['is required the first time under none', 'consent_required', { consent: undefined, request: prompt('none') }],
    ['is remembered', 'done', { consent: agreed, request: { scopes: ['openid', 'name'] } }],
    ['is remembered under none', 'done', { consent: agreed, request: { scopes: ['openid'], ...prompt('none') } }],
    ['is asked for what is new', 'consent', { consent: agreed, request: { scopes: ['openid', 'region'] } }],
    ['is not asked for what was declined', 'done', { consent: agreed, request: { scopes: ['openid', 'gender'] } }],
    [
      'is asked for what is required now',
      'consent',
      { consent: agreed, request: { scopes: ['openid', 'gender'] }, client: { requiredScopes: ['openid', 'gender'] } },
    ],
    ['is asked again by consent', 'consent', { consent: agreed, request: prompt('consent') }],
    ['is asked once by consent', 'done', { consent: agreed, request: prompt('consent'), progress: consented }],
    [
      'given in another session is asked again',
      'consent',
      { consent: agreed, request: prompt('consent'), progress: { ...consented, sessionId: 'other' } },
    ],
    ['withdrawn meanwhile is asked again', 'consent', { consent: undefined, progress: consented }],
    ['is always asked on loopback', 'consent', { request: loopback, client: { kind: 'public' } }],
    [
      'is always asked on a custom scheme',
      'consent',
      { request: { redirectUri: 'org.acme:/cb' }, client: { kind: 'public' } },
    ],
    [
      'is always asked on loopback with TLS, whoever the app is',
      'consent',
      { request: { redirectUri: 'https://localhost:8443/cb' }, client: { kind: 'confidential' } },
    ],
    [
      'is remembered where the issuer is on loopback too',
      'done',
      { request: loopback, client: { kind: 'confidential' } },
    ],
    ['is asked once on loopback', 'done', { request: loopback, client: { kind: 'public' }, progress: consented }],
    [
      'is required on loopback under none',
      'consent_required',
      { request: { ...loopback, ...prompt('none') }, client: { kind: 'public' } },
    ],
  ])('%s: %s', (_, expected, changed) => {
    expect(step(changed)).toBe(expected)
  })

  it('grants the requested scopes that are on record', () => {
    const consent = { granted: ['openid', 'name', 'email'], declined: ['gender'], emailChoice: 'regular' as const }
    const next = nextStep(situation({ consent, request: { scopes: ['openid', 'gender'] } }))
    expect(next).toMatchObject({ step: 'done', scopes: ['openid'], emailChoice: 'none' })
    const more = nextStep(situation({ consent, request: { scopes: ['openid', 'email'] } }))
    expect(more).toMatchObject({ step: 'done', scopes: ['openid', 'email'], emailChoice: 'regular' })
  })
})

describe('an e-mail address', () => {
  const unbound = { person: { hasEmail: false, subject: 'sub-of-ada' } }
  const required = { client: { email: 'required' as const }, consent: undefined }
  const scopes = ['openid', 'email']
  const aged = (seconds: number) => ({ id: 's', authenticatedAt: secondsAgo(seconds) })
  const binding: Changed = { ...unbound, ...required, request: { scopes } }
  const agreed = { decision: { granted: scopes, declined: [], emailChoice: 'hidden' as const }, upon: undefined }
  const chosen: Changed = { ...unbound, progress: { ...consented, consented: false, agreed }, request: { scopes } }
  it.each<[string, string, Changed]>([
    ['that is required and not bound is bound first', 'bind-email', { ...binding, session: aged(599) }],
    ['is not bound without a recent sign-in', 'sign-in', { ...binding, session: aged(600) }],
    ['is not bound on a sign-in for this request that is older', 'sign-in', { ...binding, progress: signedIn }],
    ['that somebody chose to share is not bound without one either', 'sign-in', chosen],
    ['that somebody chose to share is bound after one', 'bind-email', { ...chosen, session: aged(1) }],
    [
      'that is required must be bound under none',
      'interaction_required',
      { ...unbound, ...required, request: { scopes, ...prompt('none') } },
    ],
    ['that is not asked for is not missed', 'consent', { ...unbound, ...required, request: { scopes: ['openid'] } }],
    ['that is bound leads to consent', 'consent', { ...required, request: { scopes } }],
    ['that is optional is not missed', 'consent', { ...unbound, consent: undefined, request: { scopes } }],
    [
      'that was declined is not asked again',
      'done',
      { ...unbound, consent: { granted: ['openid'], declined: ['email'], emailChoice: 'none' }, request: { scopes } },
    ],
    [
      'is not looked at before signing in',
      'sign-in',
      { ...nobody, client: { email: 'required' }, request: { scopes } },
    ],
  ])('%s: %s', (_, expected, changed) => {
    expect(step(changed)).toBe(expected)
  })
})

describe('in every situation', () => {
  const progress = fc.option(
    fc.record({ sessionId: fc.constantFrom('s', 'other'), signedIn: fc.boolean(), consented: fc.boolean() }),
    { nil: undefined },
  )
  const any = fc.record({
    request: fc.record({
      prompt: fc.oneof(fc.constant<Prompt[]>(['none']), fc.subarray<Prompt>(['login', 'consent', 'select_account'])),
      maxAge: fc.constantFrom(undefined, 0, 3599, 3601),
      hintedSubject: fc.constantFrom(undefined, 'sub-of-ada', 'sub-of-bob'),
      scopes: fc.constantFrom<string[][]>(['openid'], ['openid', 'name'], ['openid', 'email']),
    }),
    client: fc.record({ email: fc.constantFrom('optional' as const, 'required' as const) }),
    progress,
    session: fc.constantFrom(undefined, { id: 's', authenticatedAt: secondsAgo(3600) }),
    person: fc.constantFrom({ hasEmail: true, subject: 'sub-of-ada' }, { hasEmail: false, subject: undefined }),
    consent: fc.constantFrom<(ConsentRecord | undefined)[]>(undefined, {
      granted: ['openid', 'name'],
      declined: ['email'],
      emailChoice: 'none' as const,
    }),
  })

  it('never shows a page for prompt=none', () => {
    const page = (changed: Changed) => ['sign-in', 'consent'].includes(step(changed))
    fc.assert(fc.property(any, (one) => !(one.request.prompt.includes('none') && page(one))))
  })

  it('ends in an answer after one sign-in and one consent', () => {
    fc.assert(
      fc.property(any, (one) => {
        const session = { id: 's', authenticatedAt: now }
        const after = { ...one, session, progress: { sessionId: 's', signedIn: true, consented: true } }
        const consent = { granted: one.request.scopes, declined: [], emailChoice: 'none' as const }
        expect(['sign-in', 'consent']).not.toContain(step({ ...after, consent }))
      }),
    )
  })

  it('never completes without a session and a consent on record', () => {
    fc.assert(
      fc.property(any, (one) => step(one) !== 'done' || (one.session !== undefined && one.consent !== undefined)),
    )
  })
})
