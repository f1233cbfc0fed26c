import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { readFlash } from '#lib/http/flash'
import { failBefore } from '#lib/testing/browser/attempts'
import { makeAuthenticator } from '#lib/testing/browser/authenticator'
import { openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { askOptions, giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { checkRegistration, registrationOptions } from './passkey.ts'

describe.each(kinds)('passkeys on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  async function setUp() {
    const { prisma } = postern.context.database
    for (const table of [prisma.attempt, prisma.totp, prisma.recoveryCode, prisma.passkey, prisma.consent] as const)
      await (table as typeof prisma.totp).deleteMany()
    await prisma.session.deleteMany()
    const started = startFlow(postern)
    const { browser, context } = started
    const page = await browser.authorize()
    const personId = await started.personId('ada')
    const problems = async (form: string) => (await readFlash(context, browser.cookies(), form))?.problems
    const amr = async () => (await prisma.session.findFirstOrThrow({ where: { endedAt: null } })).amr
    return { ...started, page, personId, problems, amr, prisma }
  }

  describe('a passkey', () => {
    async function withPasskey(behaviour = {}) {
      const found = await setUp()
      const { context, personId } = found
      const passkey = makeAuthenticator()
      const challenge = context.random(32).toString('base64url')
      const options = await registrationOptions(context.config, challenge, { personId, username: 'ada', known: [] })
      const made = await checkRegistration(context.config, challenge, passkey.create(options as never, behaviour))
      if (!made) throw new Error('The test’s passkey was refused.')
      await context.factors.addPasskey(personId, { ...made, name: 'Test' }, context.now())
      const signIn = async (behaviour = {}, who = found.browser) => {
        const { options, state } = await askOptions(context, who, { use: 'signin' })
        const credential = passkey.get(options, behaviour)
        const { request } = found.page.parameters
        return { state, credential, arrival: await who.post('/passkey/signin', { request, state, credential }) }
      }
      return { ...found, passkey, signIn }
    }

    it.each([
      [false, 'hwk user mfa'],
      [true, 'swk user mfa'],
    ])('signs in with two factors at once (synced: %s)', async (synced, amr) => {
      const found = await withPasskey({ synced })
      expect(placeOf((await found.signIn({ synced })).arrival)).toBe('/consent')
      expect(await found.amr()).toBe(amr)
      const [stored] = (await found.context.factors.ways(found.personId)).passkeys
      expect([stored?.counter, stored?.lastUsedAt !== undefined]).toEqual([1, true])
    })

    it('gives the app acr aal2', async () => {
      const { signIn, browser, tokens } = await withPasskey()
      const { arrival } = await signIn()
      const { id_token, access_token } = await tokens(await browser.decide(arrival))
      const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      expect(access_token).toBeDefined()
      expect(claims(id_token)).toMatchObject({ acr: 'aal2', amr: ['hwk', 'user', 'mfa'] })
    })

    it('needs no code of the authenticator app', async () => {
      const { signIn, context, personId } = await withPasskey()
      await giveTotp(context, personId)
      expect(placeOf((await signIn()).arrival)).toBe('/consent')
    })

    it.each([
      ['another origin', { origin: 'https://evil.example' }],
      ['another site', { rpId: 'evil.example' }],
      ['no user verification', { verified: false }],
    ])('is refused with %s', async (_, behaviour) => {
      const { signIn, problems } = await withPasskey()
      expect(placeOf((await signIn(behaviour)).arrival)).toBe('/signin')
      expect(await problems('signin')).toEqual([{ code: 'passkey_refused' }])
    })

    it('is refused when its counter went back', async () => {
      const { signIn, problems } = await withPasskey()
      await signIn({ counter: 9 })
      await signIn({ counter: 9 })
      expect(await problems('signin')).toEqual([{ code: 'passkey_refused' }])
      await signIn({ counter: 3 })
      expect(await problems('signin')).toEqual([{ code: 'passkey_refused' }])
    })

    it('answers each challenge once, in its own browser', async () => {
      const { signIn, browser, context, page, problems } = await withPasskey()
      const { state, credential } = await signIn()
      const { request } = page.parameters
      await browser.post('/passkey/signin', { request, state, credential })
      expect((await problems('signin'))?.[0]?.code).toMatch(/^passkey_(expired|refused)$/)
      const thief = openBrowser(context)
      const own = await thief.authorize()
      const arrived = await thief.post('/passkey/signin', { request: own.parameters.request, state, credential })
      expect(placeOf(arrived)).toBe('/signin')
    })

    it('is unknown when it was not registered', async () => {
      const { browser, context, page, problems } = await setUp()
      const { options, state } = await askOptions(context, browser, { use: 'signin' })
      const credential = makeAuthenticator().get(options)
      await browser.post('/passkey/signin', { request: page.parameters.request, state, credential })
      expect(await problems('signin')).toEqual([{ code: 'passkey_unknown' }])
    })

    it('is unknown when its owner is disabled', async () => {
      const { signIn, prisma, personId, problems } = await withPasskey()
      await prisma.person.update({ where: { id: personId }, data: { disabledAt: new Date() } })
      await signIn()
      expect(await problems('signin')).toEqual([{ code: 'passkey_unknown' }])
      await prisma.person.update({ where: { id: personId }, data: { disabledAt: null } })
    })

    it('does not wait after 200 wrong passwords; the password waits only in networks that failed', async () => {
      const { signIn, context, personId } = await withPasskey()
      const account = `password:account:${sha256('ada')}`
      await failBefore(context, account, 200, 60)
      await failBefore(context, `factor:person:${personId}`, 200, 900)
      expect(placeOf((await signIn()).arrival)).toBe('/consent')
      expect(await context.attempts.waitFor(account)).toBe(60)
      await failBefore(context, 'sign-in:network:198.51.100.77', 10)
      const stranger = openBrowser(context, '198.51.100.77')
      const theirs = await stranger.authorize()
      expect(placeOf(await stranger.signIn(theirs))).toBe('/signin')
      const home = openBrowser(context, '203.0.113.9')
      expect(placeOf(await home.signIn(await home.authorize()))).toBe('/consent')
    })

    it('leaves the password of a known browser without a wait when strangers fail', async () => {
      const { browser, context, page } = await setUp()
      await browser.signIn(page)
      await failBefore(context, `password:account:${sha256('ada')}`, 200, 60)
      const again = await browser.authorize({ prompt: 'login' })
      expect(placeOf(await browser.signIn(again))).toBe('/consent')
    })
  })

  it('keeps the last way to sign in when two are removed concurrently', async () => {
    const { context, prisma } = await setUp()
    const at = new Date()
    const person = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }
    const row = { ...person, id: `only-${kind}`, username: `only-${kind}`, profileUpdatedAt: at, createdAt: at }
    await prisma.person.create({ data: row })
    const passkey = { publicKey: new Uint8Array([1]), counter: 0, transports: [], backedUp: false, name: '' }
    for (const id of ['one', 'two']) await context.factors.addPasskey(row.id, { ...passkey, id }, at)
    const outcomes = await Promise.all(['one', 'two'].map((id) => context.factors.removePasskey(row.id, id, at)))
    expect(outcomes.sort()).toEqual(['last_way', 'removed'])
  })
})
