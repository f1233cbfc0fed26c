import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { invitationHash, makeInvitation } from '#lib/account/person/invitation'
import { skeleton } from '#lib/account/person/login-name'
import { readFlash } from '#lib/http/flash'
import { readShownCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { makeAuthenticator } from '#lib/testing/browser/authenticator'
import { openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { askOptions } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

const password = 'a gate of one’s own'

describe.each(kinds)('sign-up on %s', (kind) => {
  const open = sharePostern({ kind, provision: flowProvision })
  const closed = sharePostern({ kind, provision: flowProvision, env: { SIGNUP: 'invite' } })

  async function setUp(postern = open) {
    const { prisma } = postern.context.database
    await prisma.attempt.deleteMany()
    await prisma.person.deleteMany({ where: { username: { notIn: ['ada', 'bob'] } } })
    const started = startFlow(postern)
    const { browser, context } = started
    const page = await browser.authorize()
    const { request } = page.parameters
    const signUp = (fields: Record<string, string>, who = browser) =>
      who.post('/signup/submit', { request, password, ...fields })
    const problems = async () => (await readFlash(context, browser.cookies(), 'signup'))?.problems
    return { ...started, page, signUp, problems, request }
  }

  it('continues to the app with a name and a password, which sign in from then on', async () => {
    const { browser, context, signUp, personId } = await setUp()
    const arrived = await signUp({ username: ' Grace ' })
    expect([placeOf(arrived), arrived.trail]).toEqual(['/consent', ['/signup/submit', '/continue']])
    expect(await browser.shownSession()).toBeDefined()
    const [signedIn, signedUp] = await context.activity.list(await personId('grace'), undefined, 5)
    expect([signedIn?.kind, signedUp?.kind].sort()).toEqual(['signed_in', 'signed_up'])
    const other = openBrowser(context)
    const again = await other.signIn(await other.authorize(), { username: 'grace', password })
    expect(placeOf(again)).toBe('/consent')
  })

  it('stores when the password was set', async () => {
    const { context, clock, signUp, personId } = await setUp()
    await signUp({ username: 'grace' })
    expect((await context.factors.ways(await personId('grace'))).password).toEqual({ setAt: clock.now })
  })

  it.each([
    ['ada', 'username_taken'],
    ['ADA', 'username_taken'],
    ['b0b', 'username_lookalike'],
    ['adm1n', 'username_reserved'],
    ['', 'username_missing'],
    ['a', 'username_short'],
    ['a'.repeat(40), 'username_long'],
    ['<script>', 'username_characters'],
    [`o'); DROP TABLE "Person" --`, 'username_characters'],
    ['ada@example.org', 'username_characters'],
  ])('rejects the name %j as %s, and keeps the typed text', async (username, code) => {
    const { context, browser, signUp, problems } = await setUp()
    expect(placeOf(await signUp({ username }))).toBe('/signup')
    expect(await problems()).toEqual([{ field: 'username', code }])
    expect((await readFlash(context, browser.cookies(), 'signup'))?.kept.username).toBe(username)
    expect(JSON.stringify(await readFlash(context, browser.cookies(), 'signup'))).not.toContain(password)
  })

  it.each([
    ['', 'password_missing'],
    ['seven c', 'password_short'],
    ['password1', 'password_common'],
    ['grace-hopper', 'password_common'],
    ['Grace-Hopper1906', 'password_common'],
    ['postern123', 'password_common'],
    ['long '.repeat(60), 'password_long'],
  ])('rejects the password %.20s as %s', async (wrong, code) => {
    const { signUp, problems, prisma } = await setUp()
    await signUp({ username: 'grace-hopper', password: wrong })
    expect(await problems()).toEqual([{ field: 'password', code }])
    expect(await prisma.person.count({ where: { username: 'grace-hopper' } })).toBe(0)
  })

  it('gives a name to one of eight concurrent forms, and signs in only its browser', async () => {
    const { context, page } = await setUp()
    const browsers = await Promise.all(Array.from({ length: 8 }, () => openBrowser(context)))
    const places = await Promise.all(
      browsers.map(async (browser) => {
        const { parameters } = await browser.authorize()
        return placeOf(
          await browser.post('/signup/submit', { request: parameters.request, username: 'race', password }),
        )
      }),
    )
    expect(page).toBeDefined()
    expect(places.sort()).toEqual(['/consent', ...Array(7).fill('/signup')])
  })

  it('finds lookalikes in the database as the skeleton does', async () => {
    const { context, prisma } = await setUp()
    const names = ['modern', 'paypal', 'ada.love', 'zz-9', 'will', 'wanda', '0x1', 'kilo']
    const at = new Date()
    const profile = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }
    for (const username of names)
      await prisma.person.create({ data: { id: username, username, ...profile, profileUpdatedAt: at, createdAt: at } })
    const tries = [
      'modem',
      'rnodem',
      'paypa1',
      'ada_love',
      'zz_9',
      'wi11',
      'vvanda',
      'oxl',
      'ki1o',
      'kiIo'.toLowerCase(),
    ]
    for (const typed of tries) {
      const expected = names.filter((name) => skeleton(name) === skeleton(typed))
      expect([typed, expected.length]).toEqual([typed, 1])
      expect(await context.signUps.findAlike(skeleton(typed))).toEqual(expected)
    }
    expect(await context.signUps.findAlike(skeleton('nobody-like-this'))).toEqual([])
  })

  it('makes an account with a passkey and no password, and shows ten codes once', async () => {
    const { context, browser, signUp, prisma, personId, request } = await setUp()
    const { options, state } = await askOptions(context, browser, { use: 'signup', username: 'grace' })
    expect(options).toMatchObject({ rp: { id: 'localhost' }, authenticatorSelection: { residentKey: 'required' } })
    const passkey = makeAuthenticator()
    const fields = { username: 'grace', password: '', state, credential: passkey.create(options) }
    const shown = await signUp(fields)
    expect(placeOf(shown)).toBe('/signup/codes')
    expect(shown.parameters.to).toMatch(/^\/continue\?request=/)
    expect(await readShownCodes(context, browser.cookies())).toHaveLength(10)
    expect(placeOf(await browser.visit(shown.parameters.to as string))).toBe('/consent')
    const person = await prisma.person.findUniqueOrThrow({
      where: { id: await personId('grace') },
      include: { passkeys: true },
    })
    expect([person.passwordHash, person.passwordSetAt, person.passkeys[0]?.id]).toEqual([null, null, passkey.id])
    expect(await prisma.recoveryCode.count({ where: { personId: person.id } })).toBe(10)
    // Sending the form again creates no second account.
    expect(placeOf(await signUp({ ...fields, username: 'grace2' }))).toBe('/signup')
    expect(request).toBeDefined()
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['no user verification', { verified: false }],
  ])('makes no account for a passkey of %s', async (_, behaviour) => {
    const { context, browser, signUp, problems } = await setUp()
    const { options, state } = await askOptions(context, browser, { use: 'signup', username: 'grace' })
    await signUp({ username: 'grace', state, credential: makeAuthenticator().create(options, behaviour) })
    expect(await problems()).toEqual([{ code: 'passkey_refused' }])
  })

  it.each(['-', '{', '[]', 'null', '{"id":5}', 'x'.repeat(5000)])(
    'makes no account for the credential %j',
    async (credential) => {
      const { context, browser, signUp, problems } = await setUp()
      const { state } = await askOptions(context, browser, { use: 'signup', username: 'grace' })
      await signUp({ username: 'grace', state, credential })
      expect(await problems()).toEqual([{ code: 'passkey_refused' }])
    },
  )

  it('accepts a challenge in its own browser, for its use, for five minutes', async () => {
    const { context, browser, signUp, problems, later } = await setUp()
    const passkey = makeAuthenticator()
    const signIn = await askOptions(context, browser, { use: 'signin' })
    const elsewhere = await askOptions(context, openBrowser(context), { use: 'signup', username: 'grace' })
    const own = await askOptions(context, browser, { use: 'signup', username: 'grace' })
    const credential = passkey.create(own.options)
    for (const state of [signIn.state, elsewhere.state, `${own.state}x`, '', 'junk']) {
      await signUp({ username: 'grace', state, credential })
      expect(await problems()).toEqual([{ code: 'passkey_expired' }])
    }
    later(300)
    await signUp({ username: 'grace', state: own.state, credential })
    expect(await problems()).toEqual([{ code: 'passkey_expired' }])
  })

  it('rejects the thirty-first account from one address within an hour', async () => {
    const { context, problems, signUp } = await setUp()
    for (let made = 0; made < 30; made++) await context.signUpLimit.accounts.fail('192.0.2.1')
    await signUp({ username: 'grace' })
    expect(await problems()).toEqual([{ code: 'wait', wait: expect.any(Number) }])
  })

  describe('by invitation', () => {
    it('accepts a code once in concurrent forms', async () => {
      const { context, signUp, problems } = await setUp(closed)
      await signUp({ username: 'grace' })
      expect(await problems()).toEqual([{ field: 'invitation', code: 'invitation_missing' }])
      await signUp({ username: 'grace', invitation: 'aaaa-bbbb' })
      expect(await problems()).toEqual([{ field: 'invitation', code: 'invitation_wrong' }])
      const code = makeInvitation(randomBytes)
      const expiresAt = new Date(context.now().getTime() + 1000)
      await context.invitations.make(
        { hash: invitationHash(code), note: '', purpose: 'account', expiresAt },
        recordedAt(context.now()),
      )
      const places = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const browser = openBrowser(context)
          const { parameters } = await browser.authorize()
          const fields = {
            request: parameters.request,
            username: `guest${index}x`,
            password,
            invitation: code.toUpperCase(),
          }
          return placeOf(await browser.post('/signup/submit', fields))
        }),
      )
      expect(places.sort()).toEqual(['/consent', ...Array(7).fill('/signup')])
    })

    it('rejects an expired code', async () => {
      const { context, signUp, problems } = await setUp(closed)
      const code = makeInvitation(randomBytes)
      await context.invitations.make(
        { hash: invitationHash(code), note: '', purpose: 'account', expiresAt: context.now() },
        recordedAt(context.now()),
      )
      await signUp({ username: 'grace', invitation: code })
      expect(await problems()).toEqual([{ field: 'invitation', code: 'invitation_wrong' }])
    })
  })
})
