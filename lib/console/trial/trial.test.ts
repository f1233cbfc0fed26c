import { expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { shareTrials } from '#lib/testing/console/trials'
import { trialRedirectUri } from './trial.ts'

const open = shareTrials()
const page = '/console/teams/acme/apps/acme-web/try'
const callbackPath = '/console/try/callback'

it('takes a sign-in apart, verifies its tokens, and revokes them', async () => {
  const { begin, allow, outcome, context, prisma, browser } = await open()
  const consent = await begin()
  expect(consent.url.pathname).toBe('/consent')
  const end = await allow(consent)
  expect(end.url.pathname).toBe(page)
  expect(end.url.search).toBe('')
  const shown = await outcome()
  expect(shown?.failure).toBeUndefined()
  expect(shown?.isRevoked).toBe(true)
  for (const token of [shown?.idToken, shown?.accessToken])
    expect(token?.checks.filter(({ isGood }) => !isGood)).toEqual([])
  expect(shown?.idToken?.checks.map(({ name }) => name)).toContain('nonce')
  expect(shown?.userinfo).toMatchObject({ isSamePerson: true, claims: { name: 'Ada L.' } })
  const [row] = await prisma.authorization.findMany()
  expect(row?.revokedAt).not.toBeNull()
  // What is stored and shown holds no whole token, and the stored row is sealed.
  expect(JSON.stringify(shown)).not.toMatch(/eyJ[\w-]{20}|rt_[\w-]{10}/)
  expect((await prisma.appTrial.findFirstOrThrow()).outcome).not.toContain('Ada')
  expect(await context.consents.findConsent(row?.personId ?? '', 'acme-web')).toMatchObject({ emailChoice: 'none' })
  // The consent is real: the next trial needs no page, and so would a sign-in at the app.
  expect((await begin()).url.pathname).toBe(page)
  expect((await browser.authorize()).url.origin).toBe('https://acme.example')
})

it('refuses its redirect URI to everyone else as an unregistered one', async () => {
  const { browser, context } = await open()
  const asked = { redirect_uri: trialRedirectUri(context.config) }
  const refused = await browser.authorize(asked)
  expect(await browser.problemOn(refused)).toMatchObject({ kind: 'bad_redirect_uri' })
  const unregistered = await browser.authorize({ redirect_uri: 'https://nowhere.example/' })
  expect(await browser.problemOn(refused)).toEqual(await browser.problemOn(unregistered))
})

it('does not let another browser or another account finish it', async () => {
  const { begin, browser, signIn, outcome, prisma } = await open()
  const consent = await begin()
  await signIn('bob', 'staple horse battery')
  const switched = await browser.visit(consent.url)
  expect(switched.url.pathname).toBe('/consent')
  const refused = await browser.decide(consent, { scope: ['openid', 'name'] })
  expect(await browser.problemOn(refused)).toMatchObject({ kind: 'unknown_trial' })
  browser.jar.delete('postern-browser')
  const elsewhere = await browser.visit(`/continue?request=${consent.parameters.request}`)
  expect(elsewhere.url.pathname).toBe('/error')
  expect(await outcome()).toBeUndefined()
  expect(await prisma.authorization.count()).toBe(0)
})

it('takes an answer once, and only in the session that began', async () => {
  const { begin, allow, browser, signIn, outcome, prisma } = await open()
  browser.stops.add(callbackPath)
  const answer = await allow(await begin())
  expect(answer.url.pathname).toBe(callbackPath)
  const stolen = new Map(browser.jar)
  await signIn('bob', 'staple horse battery')
  expect(await browser.problemOn(await browser.visit(answer.url))).toMatchObject({ kind: 'unknown_trial' })
  for (const [name, value] of stolen) browser.jar.set(name, value)
  const wrong = new URL(answer.url)
  wrong.searchParams.set('state', 'x'.repeat(43))
  expect(await browser.problemOn(await browser.visit(wrong))).toMatchObject({ kind: 'unknown_trial' })
  const all = await Promise.all(Array.from({ length: 8 }, () => browser.visit(answer.url)))
  expect(all.map(({ url }) => url.pathname)).toEqual(Array(8).fill(page))
  const first = await outcome()
  expect(first?.isRevoked).toBe(true)
  await browser.visit(answer.url)
  expect(await outcome()).toEqual(first)
  expect(await prisma.authorization.count()).toBe(1)
})

it('gives a code that no one else can exchange', async () => {
  const { begin, allow, browser, token, context } = await open()
  browser.stops.add(callbackPath)
  const { parameters } = await allow(await begin())
  const form = {
    grant_type: 'authorization_code',
    code: parameters.code,
    redirect_uri: trialRedirectUri(context.config),
  }
  for (const code_verifier of ['v'.repeat(43), undefined]) {
    const answer = await token({ ...form, ...(code_verifier && { code_verifier }) } as Record<string, string>)
    expect(answer.status).toBe(400)
  }
})

it('shows why it failed', async () => {
  const { begin, browser, outcome, prisma } = await open()
  const consent = await begin()
  expect(
    (await browser.post('/consent/submit', { request: consent.parameters.request, action: 'cancel' })).url.pathname,
  ).toBe(page)
  expect((await outcome())?.failure).toMatchObject({ endpoint: 'authorize', code: 'access_denied' })
  expect((await begin({ prompt: 'none' })).url.pathname).toBe(page)
  expect((await outcome())?.failure).toMatchObject({ code: 'consent_required' })
  // The code expires while the answer waits.
  browser.stops.add(callbackPath)
  const answer = await browser.decide(await begin(), { scope: ['openid'], email_choice: 'none' })
  await prisma.authorization.updateMany({ data: { revokedAt: new Date(0) } })
  await browser.visit(answer.url)
  expect((await outcome())?.failure).toMatchObject({ endpoint: 'token', code: 'invalid_grant' })
  expect((await outcome())?.failure?.reason).toBe('the authorization was revoked')
})

it('ends after some minutes', async () => {
  const { begin, allow, browser, outcome, prisma } = await open()
  browser.stops.add(callbackPath)
  const answer = await allow(await begin())
  await prisma.appTrial.updateMany({ data: { expiresAt: new Date(0) } })
  expect(await browser.problemOn(await browser.visit(answer.url))).toMatchObject({ kind: 'unknown_trial' })
  expect(await outcome()).toBeUndefined()
})

it.each(['acme-bank', 'acme-spa', 'acme-signed', 'acme-mail'])(
  'signs in at %s with what its kind requires',
  async (app) => {
    const { begin, browser, outcome } = await open()
    const end = await browser.decide(await begin({ app }), {
      scope: ['openid', 'name', 'email'],
      email_choice: 'regular',
    })
    expect(end.url.pathname).toBe(`/console/teams/acme/apps/${app}/try`)
    const shown = await outcome(app)
    expect(shown?.failure).toBeUndefined()
    expect(shown?.isRevoked).toBe(true)
    expect(shown?.userinfo?.claims.name).toBe('Ada L.')
    expect(shown?.exchange?.sent.includes('DPoP')).toBe(app === 'acme-bank')
  },
)

it('takes no answer with a forged session, or with a huge state', async () => {
  const { begin, allow, browser, outcome } = await open()
  browser.stops.add(callbackPath)
  const answer = await allow(await begin())
  const huge = new URL(answer.url)
  huge.searchParams.set('state', 'x'.repeat(12_000))
  expect(await browser.problemOn(await browser.visit(huge))).toMatchObject({ kind: 'unknown_trial' })
  for (const name of [...browser.jar.keys()]) browser.jar.set(name, 'forged')
  expect(await browser.problemOn(await browser.visit(answer.url))).toMatchObject({ kind: 'unknown_trial' })
  expect(await outcome()).toBeUndefined()
})

it('begins for developers of the team alone', async () => {
  const { begin, browser, context, prisma } = await open({ role: 'viewer' })
  expect((await begin()).url.pathname).toBe(page)
  expect((await begin({ app: 'other-web', team: 'other' })).url.pathname).toBe(
    '/console/teams/other/apps/other-web/try',
  )
  expect((await begin({ app: 'other-web' })).url.pathname).toContain('/try')
  expect(await prisma.appTrial.count()).toBe(0)
  const forged = await browser.post(
    '/console/app/try',
    { team: 'acme', app: 'acme-web' },
    { 'sec-fetch-site': 'cross-site' },
  )
  expect(await browser.problemOn(forged)).toMatchObject({ kind: 'not_from_here' })
  expect(await context.trials.findByState(sha256('x'), context.now())).toBeUndefined()
})

it('refuses the answer of a member who may no longer try the app', async () => {
  const { begin, allow, browser, prisma, outcome } = await open()
  browser.stops.add(callbackPath)
  const answer = await allow(await begin())
  await prisma.member.updateMany({ data: { role: 'viewer' } })
  expect(await browser.problemOn(await browser.visit(answer.url))).toMatchObject({ kind: 'unknown_trial' })
  expect(await outcome()).toBeUndefined()
})

it('replaces the earlier trial, whose answer no longer counts', async () => {
  const { begin, allow, browser, prisma } = await open()
  browser.stops.add(callbackPath)
  const first = await allow(await begin())
  await begin({ prompt: 'login' })
  expect(await browser.problemOn(await browser.visit(first.url))).toMatchObject({ kind: 'unknown_trial' })
  expect(await prisma.appTrial.count()).toBe(1)
})
