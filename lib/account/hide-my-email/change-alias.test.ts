import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { share } from '#lib/testing/browser/share'
import type { RelayTest } from './store.ts'

const start = shareFlow()
const page = '/account/hide-my-email'

/** Signs ada in, who hides her address from Acme Web. */
async function setUp() {
  const started = await start()
  await started.prisma.person.updateMany({ data: { mailPausedAt: null } })
  const shared = await share(started)
  const { context, browser, prisma, session, change, markFor } = shared
  await change({ email_choice: 'hidden' })
  await prisma.activity.deleteMany()
  const [alias] = await prisma.alias.findMany()
  const name = alias?.address ?? ''
  // A second apart, so that what is noted has an order.
  const send = async (action: string, fields: Record<string, string | undefined> = {}) => {
    started.later(1)
    return browser.post(`${page}/${action}`, { session, alias: name, ...fields })
  }
  const choose = async (choice: string, fields = {}) =>
    send('choice', { email_choice: choice, shown: await markFor('acme-web'), ...fields })
  const flash = () => readFlash(context, browser.cookies(), 'hide-my-email')
  const problems = async () => (await flash())?.problems
  const noted = async () =>
    (await prisma.activity.findMany({ orderBy: { at: 'asc' } })).map(({ kind, detail }) => [kind, JSON.parse(detail)])
  const state = () => prisma.alias.findUniqueOrThrow({ where: { address: name } })
  return { ...shared, name, send, choose, flash, problems, noted, state, own: `${page}/${name}` }
}

describe('switching a relay address', () => {
  it('shows and records each switch once, also on a double submit', async () => {
    const { send, flash, noted, state, clock, own } = await setUp()
    expect(placeOf(await send('switch', { to: 'off' }))).toBe(own)
    expect((await flash())?.done).toBe('off')
    expect((await state()).disabledAt).toEqual(clock.now)
    await send('switch', { to: 'off' })
    expect((await flash())?.done).toBe('off')
    await send('switch', { to: 'on' })
    expect((await flash())?.done).toBe('on')
    expect((await state()).disabledAt).toBeNull()
    const app = { app: 'Acme Web' }
    expect(await noted()).toEqual([
      ['alias_off', app],
      ['alias_on', app],
    ])
  })

  it('keeps the address that the app has', async () => {
    const { send, learn, name } = await setUp()
    await send('switch', { to: 'off' })
    expect((await learn()).email).toBe(`${name}@relay.localhost`)
  })

  it("does nothing for another person's address or an unknown one", async () => {
    const { send, problems, prisma, personId, noted } = await setUp()
    const createdAt = new Date()
    await prisma.alias.create({ data: { address: 'bobs1', personId: await personId('bob'), createdAt } })
    for (const alias of ['bobs1', 'nobodys', '', '../email']) {
      expect(placeOf(await send('switch', { to: 'off', alias }))).toBe(page)
      expect(await problems()).toEqual([{ code: 'gone' }])
    }
    expect((await prisma.alias.findUniqueOrThrow({ where: { address: 'bobs1' } })).disabledAt).toBeNull()
    expect(await noted()).toEqual([])
  })

  it('does nothing on a page of another account', async () => {
    const { send, state } = await setUp()
    await send('switch', { to: 'off', session: 'another' })
    expect((await state()).disabledAt).toBeNull()
  })
})

describe('the address that an app is given', () => {
  it('becomes the regular one, and the hidden one again, at the app’s next request', async () => {
    const { choose, flash, learn, name, recorded, state, own } = await setUp()
    expect(placeOf(await choose('regular'))).toBe(own)
    expect((await flash())?.done).toBe('regular')
    expect((await learn()).email).toBe('ada@example.org')
    await choose('hidden')
    expect((await flash())?.done).toBe('hidden')
    expect((await learn()).email).toBe(`${name}@relay.localhost`)
    expect((await state()).disabledAt).toBeNull()
    expect(await recorded()).toEqual([
      { kind: 'address_shared', app: 'Acme Web', scopes: '', email: 'regular' },
      { kind: 'address_hidden', app: 'Acme Web', scopes: '', email: 'hidden' },
    ])
  })

  it('changes no other decision', async () => {
    const { choose, change, context, personId } = await setUp()
    await change({ scope: ['nickname'], email_choice: 'hidden' })
    await choose('regular')
    expect(await context.consents.findConsent(await personId('ada'), 'acme-web')).toEqual({
      granted: ['openid', 'nickname', 'email'],
      declined: ['name'],
      emailChoice: 'regular',
    })
  })

  it('changes once for two concurrent requests', async () => {
    const { choose, recorded } = await setUp()
    await Promise.all([choose('regular'), choose('regular')])
    expect(await recorded()).toHaveLength(1)
  })

  it('is not changed by a page that another tab has made stale', async () => {
    const { choose, change, markFor, prisma, problems } = await setUp()
    const shown = await markFor('acme-web')
    await change({ scope: ['nickname'], email_choice: 'hidden' })
    await choose('regular', { shown })
    expect(await problems()).toEqual([{ code: 'meanwhile' }])
    expect(await prisma.consent.findMany()).toMatchObject([{ emailChoice: 'hidden', declined: 'name' }])
  })

  it('is not changed without a consent, a shared address or a bound address', async () => {
    const { choose, change, withdraw, problems, prisma, context, personId } = await setUp()
    await change({ email_choice: 'none' })
    await choose('regular')
    expect(await problems()).toEqual([{ code: 'not_shared' }])
    await change({ email_choice: 'hidden' })
    await prisma.person.update({ where: { username: 'ada' }, data: { email: null } })
    await choose('regular')
    expect(await problems()).toEqual([{ code: 'unbound' }])
    await prisma.person.update({ where: { username: 'ada' }, data: { email: 'ada@example.org' } })
    await withdraw()
    await choose('regular')
    expect(await problems()).toEqual([{ code: 'not_shared' }])
    expect(await context.consents.findConsent(await personId('ada'), 'acme-web')).toBeUndefined()
  })
})

describe('a test message', () => {
  /** Replaces the relay by one that gives this answer. */
  async function withRelay(answer: Awaited<ReturnType<RelayTest>>) {
    const all = await setUp()
    const sent: string[] = []
    all.context.sendTestMail = async (name) => {
      sent.push(name)
      return answer
    }
    return { ...all, sent }
  }

  it('is sent to the address of the page', async () => {
    const { send, sent, flash, name, own } = await withRelay('sent')
    expect(placeOf(await send('test'))).toBe(own)
    expect(sent).toEqual([name])
    expect((await flash())?.done).toBe('test_sent')
  })

  it.each(['closed', 'unavailable'] as const)('shows a problem when the relay answers %s', async (answer) => {
    const { send, problems } = await withRelay(answer)
    await send('test')
    expect(await problems()).toEqual([{ code: `test_${answer}` }])
  })

  it('is not sent to an address that is not on', async () => {
    const { send, sent, problems, prisma } = await withRelay('sent')
    await send('switch', { to: 'off' })
    await send('test')
    expect(await problems()).toEqual([{ code: 'test_closed' }])
    await send('switch', { to: 'on' })
    await prisma.person.updateMany({ where: { username: 'ada' }, data: { mailPausedAt: new Date() } })
    await send('test')
    expect(await problems()).toEqual([{ code: 'test_closed' }])
    expect(sent).toEqual([])
  })

  it('is limited to five an hour for all addresses of a person', async () => {
    const { send, sent, problems } = await withRelay('sent')
    for (let count = 0; count < 5; count++) await send('test')
    expect(await problems()).toEqual([])
    await send('test')
    expect(await problems()).toEqual([{ code: 'test_too_many', wait: expect.any(Number) }])
    expect(sent).toHaveLength(5)
  })
})
