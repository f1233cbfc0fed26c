import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Client } from '#lib/oauth/client/client'
import type { ConsentRecord } from '#lib/oauth/consent/store'
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
  canStepUp: false,
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
    ['is skipped for a signed-in person', 'done', {}],
    ['is required without a session', 'sign-in', nobody],
    ['is required if the person of the session is gone', 'sign-in', { person: undefined, consent: undefined }],
    ['is never shown with prompt=none', 'login_required', { ...nobody, request: prompt('none') }],
    ['is skipped with prompt=none for a signed-in person', 'done', { request: prompt('none') }],
    ['is required by prompt=login', 'sign-in', { request: prompt('login') }],
    ['is required only once by prompt=login', 'done', { request: prompt('login'), progress: signedIn }],
    ['is replaced by select_account', 'choose-account', { request: prompt('select_account') }],
    ['satisfies select_account', 'done', { request: prompt('select_account'), progress: signedIn }],
    [
      'is not satisfied by a sign-in of another session',
      'sign-in',
      { request: prompt('login'), progress: { ...signedIn, sessionId: 'o' } },
    ],
    ['is not satisfied by a consent', 'sign-in', { request: prompt('login'), progress: consented }],
    ['is not required by prompt=consent', 'consent', { request: prompt('consent') }],
    ['comes before consent', 'sign-in', { request: prompt('consent', 'login') }],
    ['is followed by consent', 'consent', { request: prompt('consent', 'login'), progress: signedIn }],
    ['is required by max_age 0', 'sign-in', { request: { maxAge: 0 } }],
    ['is required only once by max_age 0', 'done', { request: { maxAge: 0 }, progress: signedIn }],
    [
      'is required by max_age 0 in the second of a sign-in',
      'sign-in',
      { request: { maxAge: 0 }, session: { id: 's', authenticatedAt: now } },
    ],
    ['is not required within max_age', 'done', { request: { maxAge: 3601 } }],
    ['is not required exactly at max_age', 'done', { request: { maxAge: 3600 } }],
    ['is required after max_age', 'sign-in', { request: { maxAge: 3599 } }],
    ['is required only once after max_age', 'done', { request: { maxAge: 3599 }, progress: signedIn }],
    ['is required after max_age with prompt=none', 'login_required', { request: { maxAge: 3599, ...prompt('none') } }],
    ['is required by max_age 0 with prompt=none', 'login_required', { request: { maxAge: 0, ...prompt('none') } }],
    ['is not required of the hinted person', 'done', { request: { hintedSubject: 'sub-of-ada' } }],
    [
      'is skipped with prompt=none for the hinted person',
      'done',
      { request: { hintedSubject: 'sub-of-ada', ...prompt('none') } },
    ],
    ['is required of a person who is not the hinted one', 'sign-in', { request: { hintedSubject: 'sub-of-bob' } }],
    [
      'is required with a hint of a person who is new to the team',
      'sign-in',
      { request: { hintedSubject: 'sub-of-bob' }, person: { hasEmail: true, subject: undefined } },
    ],
    [
      'is required with prompt=none if another person is hinted',
      'login_required',
      { request: { hintedSubject: 'sub-of-bob', ...prompt('none') } },
    ],
    [
      'ends in login_required if another person than the hinted one signs in',
      'login_required',
      { request: { hintedSubject: 'sub-of-bob' }, progress: signedIn },
    ],
    [
      'is required again after another session signed in as another person',
      'sign-in',
      { request: { hintedSubject: 'sub-of-bob' }, progress: { ...signedIn, sessionId: 'other' } },
    ],
    ['is required again if the session has ended since', 'sign-in', { ...nobody, progress: signedIn }],
  ])('%s: %s', (_, expected, changed) => {
    expect(step(changed)).toBe(expected)
  })
})

describe('consent', () => {
  const agreed = { granted: ['openid', 'name'], declined: ['gender'], emailChoice: 'none' as const }
  const loopback = { redirectUri: 'http://127.0.0.1:4000/callback' }
  it.each<[string, string, Changed]>([
    ['is asked the first time', 'consent', { consent: undefined }],
    ['is required first with prompt=none', 'consent_required', { consent: undefined, request: prompt('none') }],
    ['is remembered', 'done', { consent: agreed, request: { scopes: ['openid', 'name'] } }],
    ['is remembered with prompt=none', 'done', { consent: agreed, request: { scopes: ['openid'], ...prompt('none') } }],
    ['is asked for a new scope', 'consent', { consent: agreed, request: { scopes: ['openid', 'region'] } }],
    ['is not asked for a declined scope', 'done', { consent: agreed, request: { scopes: ['openid', 'gender'] } }],
    [
      'is asked for a declined scope that is required now',
      'consent',
      { consent: agreed, request: { scopes: ['openid', 'gender'] }, client: { requiredScopes: ['openid', 'gender'] } },
    ],
    ['is asked again with prompt=consent', 'consent', { consent: agreed, request: prompt('consent') }],
    ['is asked once by prompt=consent', 'done', { consent: agreed, request: prompt('consent'), progress: consented }],
    [
      'is asked again if given in another session',
      'consent',
      { consent: agreed, request: prompt('consent'), progress: { ...consented, sessionId: 'other' } },
    ],
    ['is asked again if withdrawn during the request', 'consent', { consent: undefined, progress: consented }],
    ['is always asked on loopback', 'consent', { request: loopback, client: { kind: 'public' } }],
    [
      'is always asked on a custom scheme',
      'consent',
      { request: { redirectUri: 'org.acme:/cb' }, client: { kind: 'public' } },
    ],
    [
      'is always asked on loopback with TLS, also for an app with a secret',
      'consent',
      { request: { redirectUri: 'https://localhost:8443/cb' }, client: { kind: 'confidential' } },
    ],
    [
      'is remembered on plain loopback for an app with a secret',
      'done',
      { request: loopback, client: { kind: 'confidential' } },
    ],
    ['is asked only once on loopback', 'done', { request: loopback, client: { kind: 'public' }, progress: consented }],
    [
      'is required on loopback with prompt=none',
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
  const agreed = { decision: { granted: scopes, declined: [], emailChoice: 'hidden' as const }, upon: '' }
  const chosen: Changed = { ...unbound, progress: { ...consented, consented: false, agreed }, request: { scopes } }
  it.each<[string, string, Changed]>([
    ['is bound first if it is required and missing', 'bind-email', { ...binding, session: aged(599) }],
    ['is not bound without a recent sign-in', 'sign-in', { ...binding, session: aged(600) }],
    ['is not bound with an old sign-in', 'sign-in', { ...binding, progress: signedIn }],
    ['is not bound without one even if the person agreed to share it', 'sign-in', chosen],
    ['is bound after a recent sign-in if the person agreed to share it', 'bind-email', { ...chosen, session: aged(1) }],
    [
      'leads to interaction_required with prompt=none if it is required and missing',
      'interaction_required',
      { ...unbound, ...required, request: { scopes, ...prompt('none') } },
    ],
    ['may be missing if not requested', 'consent', { ...unbound, ...required, request: { scopes: ['openid'] } }],
    ['leads to consent once bound', 'consent', { ...required, request: { scopes } }],
    ['may be missing if it is optional', 'consent', { ...unbound, consent: undefined, request: { scopes } }],
    [
      'is not asked for again if declined',
      'done',
      { ...unbound, consent: { granted: ['openid'], declined: ['email'], emailChoice: 'none' }, request: { scopes } },
    ],
    [
      'is not asked for before the sign-in',
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
