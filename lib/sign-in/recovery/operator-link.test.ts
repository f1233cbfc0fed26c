import { describe, expect, it } from 'vitest'
import { hashPassword } from '#lib/crypto/password-hash'
import { readFlash } from '#lib/http/flash'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf } from '#lib/testing/browser/flow'
import { giveTotp } from '#lib/testing/browser/people'
import { address, everything, oldHash, password, shareRecovery } from '#lib/testing/browser/recovery'
import { kinds } from '#lib/testing/databases/databases'
import { lettersTo } from '#lib/testing/relay/mail'
import { makeOperatorLink, operatorLinkMinutes } from './operator-link.ts'

describe.each(kinds)('a link of the operator, on %s', (kind) => {
  const share = shareRecovery(kind)

  async function setUp() {
    const shared = await share()
    const { context, browser, personId } = shared
    const link = async (removesSecondFactor = false, passwordHash: string | undefined = oldHash) => {
      const { secrets, config, now } = context
      const from = { secrets, accountUrl: config.accountUrl, now: now() }
      return (await makeOperatorLink(from, { personId, passwordHash, removesSecondFactor })).url
    }
    const finish = (page: { parameters: Record<string, string> }, one = browser) =>
      one.post('/recover/finish', { ...page.parameters, password, ...everything })
    const refused = async (url: string, one = openBrowser(context)) => {
      const page = await one.visit(url)
      return [placeOf(page), (await readFlash(context, one.cookies(), 'recover'))?.problems[0]?.code]
    }
    return { ...shared, link, finish, refused }
  }
  const over = ['/recover', 'link_over']

  it('leads to the page for a new password, without an address, and signs the person in', async () => {
    const { browser, link, finish, prisma, done } = await setUp()
    await prisma.person.update({ where: { username: 'ada' }, data: { email: null } })
    const page = await browser.visit(await link())
    expect(placeOf(page)).toBe('/recover/password')
    expect(placeOf(await finish(page))).toBe('/account')
    expect(await browser.shownSession()).toBeDefined()
    expect(await done()).toContain('recovered')
  })

  it('sets the first password of a person who has none', async () => {
    const { context, clock, browser, finish, prisma, personId, ways } = await setUp()
    await prisma.person.update({ where: { username: 'ada' }, data: { passwordHash: null, passwordSetAt: null } })
    const from = { secrets: context.secrets, accountUrl: context.config.accountUrl, now: context.now() }
    const linked = { personId, passwordHash: undefined, removesSecondFactor: false }
    const { url } = await makeOperatorLink(from, linked)
    expect(placeOf(await finish(await browser.visit(url)))).toBe('/account')
    expect((await ways()).password).toEqual({ setAt: clock.now })
  })

  it('works once: using it voids every link made before, and opening it voids none', async () => {
    const { context, browser, link, finish, refused } = await setUp()
    const [one, two] = [await link(), await link()]
    const opened = await openBrowser(context).visit(one)
    expect(placeOf(opened)).toBe('/recover/password')
    await finish(await browser.visit(one))
    expect(await refused(one)).toEqual(over)
    expect(await refused(two)).toEqual(over)
  })

  it('works in one of two browsers that use it concurrently', async () => {
    const { context, link, finish } = await setUp()
    const url = await link()
    const browsers = [openBrowser(context), openBrowser(context)]
    const pages = await Promise.all(browsers.map((browser) => browser.visit(url)))
    await Promise.all(pages.map((page, index) => finish(page, browsers[index])))
    const sessions = await Promise.all(browsers.map((browser) => browser.shownSession()))
    expect(sessions.filter(Boolean)).toHaveLength(1)
  })

  it('expires after an hour, and when the password changes', async () => {
    const { link, refused, later, prisma } = await setUp()
    const old = await link()
    later(operatorLinkMinutes * 60)
    expect(await refused(old)).toEqual(over)
    const fresh = await link()
    await prisma.person.update({
      where: { username: 'ada' },
      data: { passwordHash: await hashPassword('another one') },
    })
    expect(await refused(fresh)).toEqual(over)
  })

  it('is refused for a disabled person', async () => {
    const { link, refused, prisma, context } = await setUp()
    await prisma.person.update({ where: { username: 'ada' }, data: { disabledAt: context.now() } })
    expect(await refused(await link())).toEqual(over)
    await prisma.person.update({ where: { username: 'ada' }, data: { disabledAt: null } })
  })

  it.each(['', 'x', 'a.b.c.d.e', 'é\0', 'x'.repeat(100_000)])('refuses %.20j as a key', async (key) => {
    const { refused } = await setUp()
    expect(await refused(`/recover/link?${new URLSearchParams({ key })}`)).toEqual(over)
  })

  it('rejects a token that was sealed for another purpose', async () => {
    const { browser, link, refused } = await setUp()
    const page = await browser.visit(await link())
    expect(await refused(`/recover/link?key=${page.parameters.step}`)).toEqual(over)
    const key = new URL(await link()).searchParams.get('key') ?? ''
    const answer = await browser.post('/recover/finish', { ...page.parameters, step: key, password, ...everything })
    expect(placeOf(answer)).toBe('/recover')
  })

  it('asks for the code of an authenticator app, unless the operator removes it', async () => {
    const { context, browser, link, finish, personId, makeCodes, done, ways } = await setUp()
    await giveTotp(context, personId)
    expect(placeOf(await finish(await browser.visit(await link())))).toBe('/two-factor')
    await makeCodes()
    const seen = (await lettersTo(context, address)).length
    const answer = await finish(await browser.visit(await link(true)))
    expect(placeOf(answer)).toBe('/account')
    expect(await ways()).toMatchObject({ totpSince: undefined, codes: undefined })
    expect(await done()).toEqual(expect.arrayContaining(['recovered', 'second_factor_removed']))
    expect((await lettersTo(context, address)).length - seen).toBe(2)
  })

  it('removes a second factor that was turned on after the link was made', async () => {
    const { context, browser, link, finish, personId, ways } = await setUp()
    const page = await browser.visit(await link(true))
    await giveTotp(context, personId)
    await finish(page)
    expect((await ways()).totpSince).toBeUndefined()
  })

  it('keeps the second factor when the new password is refused', async () => {
    const { context, browser, link, personId, ways } = await setUp()
    await giveTotp(context, personId)
    const page = await browser.visit(await link(true))
    await browser.post('/recover/finish', { ...page.parameters, password: 'short', ...everything })
    expect((await ways()).totpSince).toBeDefined()
  })

  it('lists every passkey and the codes for removal, and marks none as new', async () => {
    const { browser, link, finish, passkey, makeCodes, review } = await setUp()
    await passkey('stranger')
    await makeCodes()
    const page = await finish(await browser.visit(await link()))
    expect(placeOf(page)).toBe('/recover/review')
    expect((await review(page))?.leftovers.map((one) => [one.kind, one.isNew])).toEqual(
      expect.arrayContaining([
        ['passkey', false],
        ['codes', false],
      ]),
    )
  })

  it('delays a network that guesses keys, and no other network', async () => {
    const { context, link, refused } = await setUp()
    const guesser = openBrowser(context, '203.0.113.77')
    for (let tries = 0; tries < 31; tries++) await guesser.visit('/recover/link?key=x')
    expect(await refused(await link(), guesser)).toEqual(['/recover', 'slow_down'])
    expect(placeOf(await openBrowser(context, '198.51.100.77').visit(await link()))).toBe('/recover/password')
  })
})
