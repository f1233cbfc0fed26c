import { describe, expect, it } from 'vitest'
import { answerSessionEnd, answerSessionsOthers } from '#lib/account/sessions/end-sessions'
import { readFlash } from '#lib/http/flash'
import { stepUpMinutes } from '#lib/oauth/authorize/next-step'
import type { Context } from '#lib/server/compose/context'
import { newTotp } from '#lib/sign-in/authenticator/set-up'
import { answerAuthenticatorOff, answerAuthenticatorOn } from '#lib/sign-in/authenticator/switch-authenticator'
import { matchTotp, totpCode } from '#lib/sign-in/authenticator/totp'
import { answerPasskeyRemove, answerPasskeyRename } from '#lib/sign-in/passkey/manage-passkeys'
import { answerPasswordChange } from '#lib/sign-in/password/change-password'
import { answerCodesKept, answerCodesMake } from '#lib/sign-in/recovery-codes/make-codes'
import { answerCodesDownload, readShownCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { kinds } from '#lib/testing/databases/databases'
import { withFullQueue } from '#lib/testing/process/full-queue'
import { sharePostern } from '#lib/testing/process/share-postern'

type Answer = (context: Context, request: Request) => Promise<Response>

const fieldsOf = (ids: string[]) => ids.map((id) => ['browser', id])

describe.each(kinds)('the security page on %s', (kind) => {
  const postern = sharePostern({ kind, provision: flowProvision })

  async function setUp() {
    const { prisma } = postern.context.database
    for (const table of [prisma.attempt, prisma.totp, prisma.recoveryCode, prisma.passkey, prisma.session] as const)
      await (table as typeof prisma.totp).deleteMany()
    const started = startFlow(postern)
    const { browser, context } = started
    await browser.signIn(await browser.authorize())
    const personId = await started.personId('ada')
    const sent = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const send = async (
      answer: Answer,
      fields: Record<string, string> | string[][],
      headers: Record<string, string> = {},
    ) => {
      const response = await answer(
        context,
        new Request('http://localhost:3001/account/security', {
          method: 'POST',
          headers: { ...sent, cookie: browser.cookies(), ...headers },
          body: new URLSearchParams(fields).toString(),
        }),
      )
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        browser.jar.set(name, value)
      }
      return response.headers.get('location') ?? ''
    }
    const flash = (form: string) => readFlash(context, browser.cookies(), form)
    const kindsDone = async () => (await context.activity.list(personId, undefined, 20)).map((one) => one.kind)
    return { ...started, personId, send, flash, kindsDone, prisma }
  }

  const sensitive: [string, Answer, string][] = [
    ['a new password', answerPasswordChange, 'password'],
    ['an authenticator app on', answerAuthenticatorOn, 'authenticator'],
    ['an authenticator app off', answerAuthenticatorOff, 'authenticator'],
    ['new recovery codes', answerCodesMake, 'codes'],
    ['removing a passkey', answerPasskeyRemove, 'passkeys'],
    ['naming a passkey', answerPasskeyRename, 'passkeys'],
  ]

  it.each(sensitive)(
    'requires for %s a sign-in of the last ten minutes, and leads back to the page',
    async (_, answer, page) => {
      const { send, later } = await setUp()
      later(stepUpMinutes * 60)
      const path = `/account/security/${page}`
      expect(await send(answer, { password: 'a gate of its own' })).toBe(
        `/signin?${new URLSearchParams({ to: path, fresh: '1' })}`,
      )
    },
  )

  const all: [string, Answer][] = [
    ...sensitive.map(([name, answer]): [string, Answer] => [name, answer]),
    ['ending a session', answerSessionEnd],
    ['ending the others', answerSessionsOthers],
  ]

  it.each(all)('rejects %s from another site', async (_, answer) => {
    const { send, kindsDone } = await setUp()
    const before = await kindsDone()
    const where = await send(answer, { password: 'a gate of its own' }, { 'sec-fetch-site': 'cross-site' })
    expect(where).toMatch(/\/error\?/)
    expect(await kindsDone()).toEqual(before)
  })

  it('accepts only the new password, and signs out other browsers if chosen', async () => {
    const { browser, context, send, flash, kindsDone, later } = await setUp()
    const other = openBrowser(context, '198.51.100.3')
    await other.signIn(await other.authorize())
    expect(await send(answerPasswordChange, { password: 'short' })).toBe('/account/security/password')
    expect((await flash('security-password'))?.problems).toEqual([{ field: 'password', code: 'short' }])
    expect(await send(answerPasswordChange, { password: 'a gate of its own', browsers: '1' })).toBe('/account/security')
    expect([await other.shownSession(), await browser.shownSession()]).toEqual([undefined, expect.any(String)])
    expect(await kindsDone()).toEqual(expect.arrayContaining(['password_changed', 'sessions_ended']))
    expect(placeOf(await other.signIn(await other.authorize()))).toBe('/signin')
    const right = { username: 'ada@example.org', password: 'a gate of its own' }
    expect(placeOf(await other.signIn(await other.authorize(), right))).toBe('/consent')
    later(1)
    await send(answerPasswordChange, { password: 'correct horse battery' })
    expect(await other.shownSession()).toBeDefined()
  })

  it('stores when the password was changed, and shows no date that is unknown', async () => {
    const { context, clock, send, later, personId, prisma } = await setUp()
    const passwordOf = async () => (await context.factors.ways(personId)).password
    await prisma.person.update({ where: { id: personId }, data: { passwordSetAt: null } })
    expect(await passwordOf()).toEqual({ setAt: undefined })
    later(1)
    await send(answerPasswordChange, { password: 'correct horse battery' })
    expect(await passwordOf()).toEqual({ setAt: clock.now })
  })

  it('revokes the tokens of apps if chosen, and counts each app once', async () => {
    const { browser, context, send, exchange } = await setUp()
    await exchange(await browser.decide(await browser.authorize()))
    const { refresh_token } = await (await exchange(await browser.authorize())).json()
    const refresh = async () => (await postern.token({ grant_type: 'refresh_token', refresh_token })).status
    await send(answerSessionsOthers, {})
    expect(await refresh()).toBe(200)
    await send(answerSessionsOthers, { apps: '1' })
    expect(await refresh()).toBe(400)
    const ended = await context.database.prisma.activity.findMany({ where: { kind: 'sessions_ended' } })
    expect(ended.map(({ detail }) => JSON.parse(detail))).toContainEqual(expect.objectContaining({ apps: '1' }))
  })

  it('signs out one browser, and neither the own one nor those of other people', async () => {
    const { browser, context, send } = await setUp()
    const other = openBrowser(context, '198.51.100.3')
    await other.signIn(await other.authorize())
    const bob = openBrowser(context, '198.51.100.4')
    await bob.signIn(await bob.authorize(), { username: 'bob', password: 'staple horse battery' })
    for (const one of [browser, bob]) await send(answerSessionEnd, { browser: (await one.shownSession()) ?? '' })
    expect(await Promise.all([browser, bob].map((one) => one.shownSession()))).not.toContain(undefined)
    await send(answerSessionEnd, { browser: (await other.shownSession()) ?? '' })
    expect(await other.shownSession()).toBeUndefined()
  })

  it('signs out the repeats of one device together, once each, but never together with the own browser', async () => {
    const { browser, context, send } = await setUp()
    const others = [openBrowser(context, '198.51.100.3'), openBrowser(context, '198.51.100.3')]
    for (const other of others) await other.signIn(await other.authorize())
    const shown = () => Promise.all([browser, ...others].map(async (one) => (await one.shownSession()) ?? ''))
    const [own = '', ...ids] = await shown()
    await send(answerSessionEnd, fieldsOf([...ids, own]))
    expect(await shown()).toEqual([own, ...ids])
    const count = async () => {
      const noted = await context.database.prisma.activity.findMany({ where: { kind: 'sessions_ended' } })
      return noted.reduce((sum, { detail }) => sum + Number(JSON.parse(detail).count), 0)
    }
    const before = await count()
    const forms = Array.from({ length: 8 }, () => send(answerSessionEnd, fieldsOf([...ids, ...ids, 'unknown', ''])))
    expect(new Set(await Promise.all(forms))).toEqual(new Set(['/account/security']))
    expect([await shown(), (await count()) - before]).toEqual([[own, '', ''], 2])
  })

  it('switches on an authenticator app while the queue for hashing is full, and makes the codes later', async () => {
    const { context, personId, send } = await setUp()
    const { secret, sealed } = await newTotp(context, personId)
    const code = totpCode(secret, Math.floor(context.now().getTime() / 30_000))
    expect(await withFullQueue(() => send(answerAuthenticatorOn, { secret: sealed, code }))).toBe('served')
    expect(await context.factors.hasTotp(personId)).toBe(true)
  })

  it('stores an authenticator app after a right code, and makes recovery codes', async () => {
    const { browser, context, personId, send, flash, kindsDone } = await setUp()
    const { secret, sealed } = await newTotp(context, personId)
    await send(answerAuthenticatorOn, { secret: sealed, code: 'abcdef' })
    expect(await flash('authenticator')).toMatchObject({
      problems: [{ field: 'code', code: 'code_wrong' }],
      kept: { sealed },
    })
    expect(await context.factors.hasTotp(personId)).toBe(false)
    const step = Math.floor(context.now().getTime() / 30_000)
    expect(matchTotp(secret, totpCode(secret, step), context.now())).toBe(step)
    const where = await send(answerAuthenticatorOn, { secret: sealed, code: totpCode(secret, step) })
    expect(where).toBe('/account/security/codes')
    expect(await readShownCodes(context, browser.cookies())).toHaveLength(10)
    expect(await kindsDone()).toEqual(expect.arrayContaining(['recovery_codes_made', 'totp_on']))
    // The code that switched the app on is spent, and does not sign in.
    const again = openBrowser(context, '198.51.100.3')
    const { parameters } = await again.authorize()
    await again.signIn({ parameters } as Parameters<typeof again.signIn>[0])
    const code = totpCode(secret, step)
    expect(placeOf(await again.post('/two-factor/submit', { request: parameters.request, code }))).toBe('/two-factor')
  })

  it('rejects a second app while the first is on', async () => {
    const { context, personId, send, flash } = await setUp()
    await giveTotp(context, personId)
    const { secret, sealed } = await newTotp(context, personId)
    const code = totpCode(secret, Math.floor(context.now().getTime() / 30_000))
    await send(answerAuthenticatorOn, { secret: sealed, code })
    expect((await flash('authenticator'))?.problems).toEqual([{ code: 'on_already' }])
    await send(answerAuthenticatorOff, {})
    expect(await context.factors.hasTotp(personId)).toBe(false)
  })

  it('offers new codes as a file to their owner only, until they are written down', async () => {
    const { browser, context, send } = await setUp()
    await send(answerCodesMake, {})
    const download = (cookie: string) =>
      answerCodesDownload(context, new Request('http://localhost:3001/', { headers: { cookie } }))
    const file = await download(browser.cookies())
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="recovery-codes.txt"')
    const [first = ''] = (await readShownCodes(context, browser.cookies())) ?? []
    expect(await file.text()).toContain(`${first}\n`)
    const bob = openBrowser(context, '198.51.100.4')
    await bob.signIn(await bob.authorize(), { username: 'bob', password: 'staple horse battery' })
    bob.jar.set('postern-codes', browser.jar.get('postern-codes') ?? '')
    expect((await download(bob.cookies())).status).toBe(303)
    await send(answerCodesKept, {})
    expect(await readShownCodes(context, browser.cookies())).toBeUndefined()
  })

  it.each(['', ' ', 'x'.repeat(61), 'a\u0007b'])('rejects %.12s as the name of a passkey', async (name) => {
    const { context, personId, send, flash } = await setUp()
    const passkey = {
      id: 'one',
      publicKey: new Uint8Array([1]),
      counter: 0,
      transports: [],
      backedUp: false,
      name: 'Old',
    }
    await context.factors.addPasskey(personId, passkey, context.now())
    await send(answerPasskeyRename, { passkey: 'one', name })
    expect((await flash('passkeys'))?.problems).toEqual([{ field: 'name-one', code: 'name' }])
    await send(answerPasskeyRename, { passkey: 'one', name: ' My <b>key</b> ' })
    expect((await context.factors.ways(personId)).passkeys[0]?.name).toBe('My <b>key</b>')
  })
})
