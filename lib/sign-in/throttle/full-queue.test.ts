import { argon2Sync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isOverloaded } from '#lib/queue/fair-queue'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { makeAuthenticator } from '#lib/testing/browser/authenticator'
import { type Browser, openBrowser } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { askOptions } from '#lib/testing/browser/people'
import { from, withFloodedQueue, withFullQueue } from '#lib/testing/process/full-queue'

describe('sign-in with a full argon2 queue', () => {
  const setUp = shareFlow()

  it('counts no attempt to sign in: the right password works afterwards, and a wrong one does not wait', async () => {
    const { browser, prisma } = await setUp()
    const page = await browser.authorize()
    for (let time = 0; time < 15; time++)
      expect(await withFullQueue(() => browser.signIn(page, { password: 'wrong' }))).toBe('refused')
    expect((await prisma.attempt.findMany()).filter(({ points }) => points > 0)).toEqual([])
    expect(placeOf(await browser.signIn(page))).toBe('/consent')
  })

  it('signs in when the right password only needs a stronger hash', async () => {
    const { browser, prisma } = await setUp()
    const { passwordHash: before } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    const passwordHash = weakHash('correct horse battery')
    await prisma.person.update({ where: { username: 'ada' }, data: { passwordHash } })
    expect(await withFullQueue(async () => browser.signIn(await browser.authorize()), 1)).toBe('served')
    expect(await browser.shownSession()).toBeDefined()
    expect((await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })).passwordHash).toBe(passwordHash)
    await prisma.person.update({ where: { username: 'ada' }, data: { passwordHash: before } })
  })

  it('makes the account when the browser sends the form with a passkey again', async () => {
    const { browser, context } = await setUp()
    const { request } = (await browser.authorize()).parameters
    const { options, state } = await askOptions(context, browser, { use: 'signup', username: 'edith' })
    const form = { request, username: 'edith', password: '', state, credential: makeAuthenticator().create(options) }
    const send = () => browser.post('/signup/submit', form as Record<string, string>)
    expect(await withFullQueue(send)).toBe('refused')
    expect(placeOf(await send())).toBe('/signup/codes')
  })

  it('spends no recovery code', async () => {
    const { browser, context, personId } = await setUp()
    const { request } = (await browser.authorize()).parameters
    const [code = ''] = makeRecoveryCodes(context.random)
    await context.factors.replaceRecoveryCodes(await personId('ada'), await hashRecoveryCodes([code]), context.now())
    const send = () =>
      browser.post('/recover/by-code/submit', { request, login: 'ada', code } as Record<string, string>)
    for (let time = 0; time < 15; time++) expect(await withFullQueue(send)).toBe('refused')
    expect(placeOf(await send())).toBe('/recover/password')
  })
})

describe('sign-in with an argon2 queue full of other networks', () => {
  const setUp = shareFlow()
  const ada = { username: 'ada', password: 'correct horse battery' }
  const bob = { username: 'bob', password: 'staple horse battery' }

  /** Submits the sign-in page; returns its redirect, or that the queue refused it. */
  const enter = (browser: Browser, fields = ada) =>
    from('198.51.100.9', () => browser.post('/signin/submit', { to: '/account', ...fields })).then(
      placeOf,
      (fault: unknown) => (isOverloaded(fault) ? 'refused' : Promise.reject(fault)),
    )

  it('signs in only in a browser that is known to the account', async () => {
    const { browser, context } = await setUp()
    expect(await enter(browser)).toBe('/account')
    await withFloodedQueue(async () => {
      expect(await enter(openBrowser(context))).toBe('refused')
      expect(await enter(browser, bob)).toBe('refused')
      expect(await enter(browser)).toBe('/account')
    })
  })

  it('treats a browser as unknown after a change of the password', async () => {
    const { browser, prisma } = await setUp()
    expect(await enter(browser)).toBe('/account')
    await prisma.person.update({ where: { username: 'ada' }, data: { knownVersion: { increment: 1 } } })
    await withFloodedQueue(async () => expect(await enter(browser)).toBe('refused'))
  })
})

function weakHash(password: string) {
  const salt = Buffer.alloc(16, 7)
  const weak = { message: password, nonce: salt, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 }
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8192,t=1,p=1$${base64(salt)}$${base64(argon2Sync('argon2id', weak))}`
}
