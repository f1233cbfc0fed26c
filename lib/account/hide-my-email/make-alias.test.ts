import { describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { aliasPage } from './change-alias.ts'

const page = '/account/hide-my-email/new'

describe.each(kinds)('making a relay address by hand on %s', (kind) => {
  const start = shareFlow({ kind, env: { RELAY_ADDRESSES_BY_HAND: '3' } })

  /** Signs ada in on the account pages. */
  async function setUp() {
    const started = await start()
    const { prisma, browser, context, personId } = started
    const ada = await personId('ada')
    await prisma.person.updateMany({ data: { aliasesByHand: 0 } })
    await prisma.person.update({ where: { id: ada }, data: { email: 'ada@example.org', deleteAfter: null } })
    await browser.signIn(await browser.authorize())
    const session = await browser.shownSession()
    let keys = 0
    const make = (fields: object = {}, headers?: Record<string, string>) => {
      const form = { session, key: `key-${++keys}`, label: 'Garden shop', ...fields }
      return browser.post('/account/hide-my-email/make', form, ...(headers ? [headers] : []))
    }
    // A second apart, so that what is noted has an order.
    const change = (action: string, alias: string, fields: object = {}) => {
      started.later(1)
      return browser.post(`/account/hide-my-email/${action}`, { session, alias, ...fields })
    }
    const flash = () => readFlash(context, browser.cookies(), 'hide-my-email')
    const problems = async () => (await flash())?.problems
    const own = () => prisma.alias.findMany({ where: { personId: ada }, orderBy: { createdAt: 'asc' } })
    const noted = async () =>
      (await prisma.activity.findMany({ where: { kind: { startsWith: 'alias' } }, orderBy: { at: 'asc' } })).map(
        ({ kind: what, detail }) => [what, JSON.parse(detail)],
      )
    return { ...started, ada, make, change, flash, problems, own, noted }
  }

  it('leads to the new address, and records it without the address', async () => {
    const { make, flash, own, noted } = await setUp()
    const answer = await make({ label: '  Garden shop ' })
    const [alias] = await own()
    expect(alias).toMatchObject({ byHand: true, appId: null, label: 'Garden shop', disabledAt: null })
    expect(alias?.address).toMatch(/^[a-z][a-z2-9]{11}$/)
    expect(placeOf(answer)).toBe(aliasPage(alias?.address ?? ''))
    expect((await flash())?.done).toBe('made')
    expect(await noted()).toEqual([['alias_made', { label: 'Garden shop' }]])
  })

  it.each<[string, string | string[] | undefined, string]>([
    ['absent', undefined, 'label_empty'],
    ['empty', '', 'label_empty'],
    ['blank', ' \u3000\r\n', 'label_empty'],
    ['too long', 'x'.repeat(61), 'label_long'],
    ['huge', '庭'.repeat(5000), 'label_long'],
    ['with a control character', 'a\u0007b', 'label_characters'],
    ['in another direction', 'a\u202eb', 'label_characters'],
    ['of two lines', 'a\nb', 'label_characters'],
  ])('asks again for a label that is %s', async (_what, label, code) => {
    const { make, problems, own, flash } = await setUp()
    expect(placeOf(await make({ label }))).toBe(page)
    expect(await problems()).toEqual([{ field: 'label', code }])
    expect((await flash())?.kept.label).toBe(String(label ?? '').slice(0, 200))
    expect(await own()).toEqual([])
  })

  it('keeps hostile text as text', async () => {
    const { make, own } = await setUp()
    const labels = ['=1+1 <script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{app} {0} %s']
    for (const label of labels) await make({ label })
    expect((await own()).map(({ label }) => label).toSorted()).toEqual(labels.toSorted())
  })

  it('makes nothing for a form of another page, session or account', async () => {
    const { make, own } = await setUp()
    await make({}, { 'sec-fetch-site': 'cross-site' })
    expect(await own()).toEqual([])
    await make({ session: 'another' })
    expect(await own()).toEqual([])
  })

  it('makes one address for a form that is sent eight times at once, and none again once it is deleted', async () => {
    const { make, change, own, problems, noted } = await setUp()
    const answers = await Promise.all(Array.from({ length: 8 }, () => make({ key: 'same' })))
    const [alias, ...more] = await own()
    expect(more).toEqual([])
    expect(new Set(answers.map(placeOf))).toEqual(new Set([aliasPage(alias?.address ?? '')]))
    await change('delete', alias?.address ?? '')
    await make({ key: 'same' })
    expect(await problems()).toEqual([{ code: 'gone' }])
    expect(await own()).toEqual([])
    expect((await noted()).map(([what]) => what)).toEqual(['alias_made', 'alias_deleted'])
  })

  it.each(['one after the other', 'at once'])('counts a form that is sent eight times, %s, once a day', async (how) => {
    const { make, own, problems, prisma, ada } = await setUp()
    await make({ key: 'first' })
    const counted = { where: { key: `addresses-by-hand:${ada}` } }
    await prisma.attempt.update({ ...counted, data: { points: 12 } })
    if (how === 'at once') await Promise.all(Array.from({ length: 8 }, () => make({ key: 'same' })))
    else for (let times = 0; times < 8; times += 1) await make({ key: 'same' })
    expect(await prisma.attempt.findUnique(counted)).toMatchObject({ points: 13 })
    await make({ label: 'Another' })
    expect((await own()).map(({ label }) => label)).toContain('Another')
    await prisma.attempt.update({ ...counted, data: { points: 20 } })
    const repeated = await make({ key: 'same' })
    expect(placeOf(repeated)).toMatch(/^\/account\/hide-my-email\/[a-z][a-z2-9]{11}$/)
    await make()
    expect(await problems()).toEqual([{ code: 'enough' }])
  })

  it.each([8, 200])('stops at the quota for %i forms at once; a deleted address makes room', async (forms) => {
    const { make, change, own, problems } = await setUp()
    const answers = await Promise.all(Array.from({ length: forms }, () => make()))
    expect(answers.every(({ response }) => response.status === 303 || response.ok)).toBe(true)
    const aliases = await own()
    expect(aliases).toHaveLength(3)
    await make()
    expect(await problems()).toEqual([{ code: 'enough' }])
    if (forms > 20) return
    await change('delete', aliases[0]?.address ?? '')
    await make({ label: 'Next' })
    expect((await own()).at(-1)?.label).toBe('Next')
  })

  it('counts deleted addresses for a day, so that nobody farms names', async () => {
    const { make, change, own, problems, later } = await setUp()
    for (let times = 0; times < 20; times += 1) {
      await make()
      await change('delete', (await own())[0]?.address ?? '')
    }
    await make()
    expect(await problems()).toEqual([{ code: 'made_too_many', wait: 24 }])
    expect(await own()).toEqual([])
    later(86_400)
  })

  it('needs an inbox', async () => {
    const { make, own, problems, prisma, ada } = await setUp()
    await prisma.person.update({ where: { id: ada }, data: { email: null } })
    await make()
    expect(await problems()).toEqual([{ code: 'unbound_by_hand' }])
    expect(await own()).toEqual([])
  })

  it('switches, names and deletes an address, and keeps its label', async () => {
    const { make, change, own, problems, noted, flash } = await setUp()
    await make()
    const name = (await own())[0]?.address ?? ''
    await change('switch', name, { to: 'off' })
    await change('switch', name, { to: 'on' })
    await change('describe', name, { label: '', note: 'x' })
    expect(await problems()).toEqual([{ field: 'label', code: 'label_empty' }])
    await change('describe', name, { label: '花園', note: 'x' })
    expect(placeOf(await change('delete', name))).toBe('/account/hide-my-email')
    expect((await flash())?.done).toBe('deleted')
    const first = { label: 'Garden shop' }
    expect(await noted()).toEqual([
      ['alias_made', first],
      ['alias_off', first],
      ['alias_on', first],
      ['alias_deleted', { label: '花園' }],
    ])
    await change('delete', name)
    expect(await problems()).toEqual([{ code: 'gone' }])
  })

  it('never deletes the address of an app or of another person', async () => {
    const { change, problems, prisma, ada, personId, clock } = await setUp()
    const createdAt = clock.now
    const rows = [
      { address: 'bobs1', personId: await personId('bob'), byHand: true, createdAt },
      { address: 'acmes', personId: ada, appId: 'acme-web', createdAt },
    ]
    await prisma.alias.createMany({ data: rows })
    for (const [name, code] of [
      ['bobs1', 'gone'],
      ['acmes', 'not_by_hand'],
      ['', 'gone'],
    ] as const) {
      await change('delete', name)
      expect(await problems()).toEqual([{ code }])
    }
    expect(await prisma.alias.count({ where: { disabledAt: null, personId: { not: null } } })).toBe(2)
  })
})

describe('an installation without addresses by hand', () => {
  const start = shareFlow({ env: { RELAY_ADDRESSES_BY_HAND: '0' } })

  it('makes none', async () => {
    const { browser, context, prisma } = await start()
    await browser.signIn(await browser.authorize())
    await browser.post('/account/hide-my-email/make', { session: await browser.shownSession(), label: 'Shop' })
    const flash = await readFlash(context, browser.cookies(), 'hide-my-email')
    expect(flash?.problems).toEqual([{ code: 'not_offered' }])
    expect(await prisma.alias.count()).toBe(0)
  })
})
