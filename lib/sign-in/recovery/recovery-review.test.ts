import { describe, expect, it } from 'vitest'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import { readShownCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { type Arrival, openBrowser } from '#lib/testing/browser/browser'
import { placeOf } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { address, everything, oldHash, password, shareRecovery } from '#lib/testing/browser/recovery'
import { kinds } from '#lib/testing/databases/databases'
import { withFullQueue } from '#lib/testing/process/full-queue'
import { codeSentTo, lettersTo } from '#lib/testing/relay/mail'

describe.each(kinds)('a recovery and its review, on %s', (kind) => {
  const setUp = shareRecovery(kind)

  it('lists with their dates the ended sessions and the credentials that still work, and marks those newer than the proof', async () => {
    const { context, note, passkey, makeCodes, recover, review, later } = await setUp()
    await note('email_bound')
    later(60)
    await passkey('stranger')
    await makeCodes()
    const elsewhere = openBrowser(context, '203.0.113.5')
    await elsewhere.signIn(await elsewhere.authorize())
    const page = await recover()
    expect(placeOf(page)).toBe('/recover/review')
    const asked = await review(page)
    const added = { since: context.now(), isNew: true }
    expect(asked?.leftovers).toEqual([
      { kind: 'passkey', id: 'stranger', name: 'stranger', lastUsedAt: undefined, ...added },
      { kind: 'codes', left: 10, ...added },
    ])
    expect(asked?.since).toEqual(new Date(context.now().getTime() - 60_000))
    expect(asked?.signedOut.map((session) => session.address)).toEqual(['203.0.113.5'])
  })

  it('removes the ticked credentials, keeps the rest, and notifies the person', async () => {
    const { context, browser, note, passkey, makeCodes, recover, submit, ways, done, personId, later } = await setUp()
    await note('email_bound')
    later(60)
    await passkey('mine')
    await passkey('stranger')
    const before = await makeCodes()
    const after = await submit(await recover(), ['passkey:stranger', 'codes'])
    expect([placeOf(after), after.parameters.to]).toEqual(['/signup/codes', '/account'])
    expect((await ways()).passkeys.map(({ id }) => id)).toEqual(['mine'])
    const shown = (await readShownCodes(context, browser.cookies())) ?? []
    expect(shown).toHaveLength(10)
    expect(shown.some((code) => before.includes(code))).toBe(false)
    expect(await done()).toEqual(expect.arrayContaining(['recovered', 'passkey_removed', 'recovery_codes_made']))
    const subjects = (await lettersTo(context, address)).slice(0, 3).map(({ subject }) => subject)
    expect(new Set(subjects).size).toBe(3)
    const [recovered] = (await context.activity.list(personId, undefined, 50)).filter(
      ({ kind }) => kind === 'recovered',
    )
    expect(recovered?.detail).toEqual({ by: 'letter', count: '0', apps: '0' })
  })

  it('stores when the new password was set', async () => {
    const { clock, recover, later, ways } = await setUp()
    later(60)
    await recover()
    expect((await ways()).password).toEqual({ setAt: clock.now })
  })

  it('ends sessions and apps by default, states their numbers, and always forgets known browsers', async () => {
    for (const choices of [everything, {}]) {
      const { context, tokens, userinfo, recover, personId, prisma } = await setUp()
      const elsewhere = openBrowser(context, '203.0.113.5')
      const { access_token } = await tokens(await elsewhere.decide(await elsewhere.signIn(await elsewhere.authorize())))
      await recover(choices)
      const ended = choices === everything
      expect([(await elsewhere.shownSession()) === undefined, (await userinfo(access_token)).status]).toEqual([
        ended,
        ended ? 401 : 200,
      ])
      const { knownVersion } = await prisma.person.findUniqueOrThrow({ where: { id: personId } })
      expect(await knownBrowserOf(context, elsewhere.cookies(), { personId, knownVersion })).toBeUndefined()
      const { detail } = await prisma.activity.findFirstOrThrow({ where: { personId, kind: 'recovered' } })
      expect(JSON.parse(detail)).toMatchObject(ended ? { count: '1', apps: '1' } : { count: '0', apps: '0' })
    }
  })

  it('removes nothing older than the proof after a recovery by inbox alone, regardless of the form', async () => {
    const { context, note, passkey, makeCodes, recover, review, submit, ways, later, bob } = await setUp()
    await passkey('old')
    const codes = await makeCodes()
    later(60)
    await note('email_changed')
    later(60)
    await passkey('new')
    await passkey('of-bob', bob)
    const page = await recover()
    expect((await review(page))?.leftovers.map((one) => one.kind === 'passkey' && one.id)).toEqual(['new'])
    await submit(page, ['passkey:old', 'passkey:of-bob', 'codes', 'totp', 'passkey:', '', 'x'.repeat(5000)])
    expect((await ways()).passkeys.map(({ id }) => id).sort()).toEqual(['new', 'old'])
    expect((await context.factors.ways(bob)).passkeys.map(({ id }) => id)).toEqual(['of-bob'])
    expect((await ways()).codes?.left).toBe(codes.length)
  })

  it('lets a recovery by code remove older credentials, and names the address', async () => {
    const { passkey, makeCodes, recover, review, submit, ways, later } = await setUp()
    await passkey('old')
    later(60)
    const [code] = await makeCodes()
    const page = await recover(everything, code)
    expect(await review(page)).toMatchObject({
      step: { by: 'code' },
      leftovers: [
        { kind: 'codes', left: 9, isNew: false },
        { kind: 'passkey', id: 'old', isNew: false },
      ],
    })
    expect(placeOf(await submit(page, ['passkey:old']))).toBe('/account')
    expect((await ways()).passkeys).toEqual([])
  })

  it('lists an authenticator app only after its code was proven', async () => {
    const { context, browser, personId, recover, review, submit, ways, prisma } = await setUp()
    const show = await giveTotp(context, personId)
    const page = await recover()
    expect(placeOf(page)).toBe('/two-factor')
    const early = await submit({ ...page, parameters: { step: 'x' } } as Arrival, ['totp'])
    expect([placeOf(early), (await ways()).totpSince === undefined]).toEqual(['/', false])
    expect((await prisma.person.findUniqueOrThrow({ where: { id: personId } })).passwordHash).toBe(oldHash)
    const proven = await browser.post('/two-factor/submit', { to: '/account', code: await show() })
    expect((await review(proven))?.leftovers).toMatchObject([{ kind: 'totp' }])
    expect(placeOf(await submit(proven, ['totp']))).toBe('/account')
    expect((await ways()).totpSince).toBeUndefined()
  })

  it('neither skips nor removes an authenticator app that was turned on during the recovery', async () => {
    const { context, personId, provenByLetter, browser, passkey, submit, ways, prisma } = await setUp()
    const { recoveries } = context
    await giveTotp(context, personId)
    const reset = { personId, before: oldHash, hash: 'x', now: context.now(), signOut: true, revoke: true }
    expect(await recoveries.resetPassword({ ...reset, secondFactor: false })).toBeUndefined()
    await prisma.totp.deleteMany()
    await passkey('stranger')
    const chosen = await provenByLetter()
    const page = await browser.post('/recover/finish', { ...chosen.parameters, password, ...everything })
    await giveTotp(context, personId)
    await submit(page, ['totp'])
    expect((await ways()).totpSince).toBeDefined()
  })

  it('voids every code sent by e-mail', async () => {
    const { context, recover, personId, prisma } = await setUp()
    const stranger = openBrowser(context, '203.0.113.6')
    await stranger.signIn(await stranger.authorize())
    await stranger.post('/account/email/submit', { address: 'stranger@example.org' })
    const theirs = await stranger.post('/recover/submit', { login: 'ada' })
    const code = await codeSentTo(context, address)
    await recover({})
    await stranger.post('/account/email/verify', { code: await codeSentTo(context, 'stranger@example.org') })
    expect((await prisma.person.findUniqueOrThrow({ where: { id: personId } })).email).toBe(address)
    expect(placeOf(await stranger.post('/recover/verify', { ...theirs.parameters, code }))).toBe('/recover/code')
  })

  it('opens for this browser and this person, for ten minutes', async () => {
    const { context, browser, passkey, recover, review, submit, ways, later } = await setUp()
    await passkey('stranger')
    const page = await recover()
    const thief = openBrowser(context, '203.0.113.7')
    await thief.signIn(await thief.authorize(), { password })
    expect(await review(page, thief)).toBeUndefined()
    expect(placeOf(await submit(page, ['passkey:stranger'], thief))).toBe('/account')
    expect(placeOf(await submit(page, ['passkey:stranger'], browser, { 'sec-fetch-site': 'cross-site' }))).toBe(
      '/error',
    )
    const bob = { username: 'bob', password: 'staple horse battery', to: '/account', as: 'other' }
    later(599)
    expect(await review(page)).toBeDefined()
    await browser.post('/signin/submit', bob)
    expect(await review(page)).toBeUndefined()
    await submit(page, ['passkey:stranger'])
    await browser.post('/signin/submit', { username: 'ada', password, to: '/account' })
    expect(await review(page)).toBeDefined()
    later(1)
    expect(await review(page)).toBeUndefined()
    await submit(page, ['passkey:stranger'])
    expect((await ways()).passkeys).toHaveLength(1)
  })

  it('removes once and notifies once for eight concurrent forms', async () => {
    const { passkey, recover, submit, ways, done } = await setUp()
    await passkey('stranger')
    const page = await recover()
    const ends = await Promise.all(Array.from({ length: 8 }, () => submit(page, ['passkey:stranger'])))
    expect(new Set(ends.map(placeOf))).toEqual(new Set(['/account']))
    expect([(await ways()).passkeys, (await done()).filter((one) => one === 'passkey_removed')]).toEqual([
      [],
      ['passkey_removed'],
    ])
  })

  it('makes new codes once for each recovery when the form is sent repeatedly', async () => {
    const { makeCodes, recover, submit, done } = await setUp()
    await makeCodes()
    const page = await recover()
    const ends = await Promise.all(Array.from({ length: 8 }, () => submit(page, ['codes'])))
    expect(ends.filter((end) => placeOf(end) === '/signup/codes')).toHaveLength(1)
    expect(placeOf(await submit(page, ['codes']))).toBe('/account')
    expect((await done()).filter((one) => one === 'recovery_codes_made')).toHaveLength(1)
  })

  it('makes new codes when the browser sends the form again after the queue for hashing was full', async () => {
    const { makeCodes, recover, submit, done } = await setUp()
    await makeCodes()
    const page = await recover()
    expect(await withFullQueue(() => submit(page, ['codes']))).toBe('refused')
    expect(placeOf(await submit(page, ['codes']))).toBe('/signup/codes')
    expect((await done()).filter((one) => one === 'recovery_codes_made')).toHaveLength(1)
  })

  it('skips the review when no credential is left and nothing ended', async () => {
    const { recover } = await setUp()
    expect(placeOf(await recover())).toBe('/account')
  })

  it.each(['//evil.example/', 'https://evil.example/', '', '/account/../..//evil.example'])(
    'never leads to %j',
    async (to) => {
      const { browser } = await setUp()
      const { url } = await browser.post('/recover/review/submit', { to, step: 'x' })
      expect([url.origin, url.pathname]).toEqual(['http://localhost:3001', '/'])
    },
  )
})
