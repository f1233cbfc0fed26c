import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answerLogout } from '#lib/flow/logout'
import { answerProvenLogout, answerSignOut } from '#lib/sign-in/sign-out'
import { openBrowser } from '#lib/testing/browser/browser'
import { bye, shareLogout } from '#lib/testing/browser/logout'

const { setUpSignedIn } = shareLogout()
const many = 200
const times = <Result>(run: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: many }, (_, index) => run(index)))

describe('200 logout requests at once', () => {
  it('are checked and sealed one by one; they store nothing and sign nobody out', async () => {
    const { context, endpoint, hint, silent, prisma } = await setUpSignedIn()
    const before = await prisma.session.findMany()
    const asked = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: bye })
    const answers = await times((index) =>
      answerLogout(
        context,
        index % 2 ? new Request(`${endpoint}?${asked}`) : new Request(endpoint, { method: 'POST', body: asked }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    const sealed = answers.map(({ headers }) => headers.get('location') ?? '')
    expect(new Set(sealed).size).toBe(many)
    for (const location of sealed)
      expect(location.startsWith(`${context.config.accountUrl}/logout?request=`)).toBe(true)
    expect(await prisma.session.findMany()).toEqual(before)
    expect(await silent()).toBeUndefined()
  })

  it('with hostile hints, addresses and states are refused one by one, and counted by address for the developers of the app', async () => {
    const { context, endpoint, hint, silent, failures } = await setUpSignedIn()
    const hostile = (index: number): Record<string, string>[] => [
      { client_id: 'acme-web', post_logout_redirect_uri: `https://evil-${index}.example/` },
      { client_id: 'acme-web', post_logout_redirect_uri: `${bye}?${index}\r\nset-cookie: a=b` },
      { id_token_hint: `${hint.slice(0, -4)}${String(index).padStart(4, 'A')}`, post_logout_redirect_uri: bye },
      { id_token_hint: hint, client_id: 'other-web' },
    ]
    const answers = await times((index) =>
      answerLogout(context, new Request(`${endpoint}?${new URLSearchParams(hostile(index)[index % 4])}`)),
    )
    expect(new Set(answers.map(({ headers }) => new URL(headers.get('location') ?? '', endpoint).host))).toEqual(
      new Set([new URL(context.config.accountUrl).host]),
    )
    const counted = async () => (await failures('acme-web')).map(({ count }) => count).sort((a, b) => b - a)
    // The addresses of 50 hosts are 50 causes. The others differ in their query alone, which is masked.
    await expect.poll(counted).toEqual([50, ...Array.from({ length: 50 }, () => 1)])
    expect(await silent()).toBeUndefined()
  })

  it('of one sealed request end the session once, and all return to the app', async () => {
    const { browser, context, hint, leave, prisma } = await setUpSignedIn()
    const before = await prisma.activity.count({ where: { kind: 'signed_out' } })
    browser.stops.add('/logout')
    const { url } = await leave({ id_token_hint: hint, post_logout_redirect_uri: bye })
    const arrivals = await times(async () => {
      const copy = openBrowser(context)
      for (const [name, value] of browser.jar) copy.jar.set(name, value)
      return copy.visit(`/logout/end${url.search}`)
    })
    const ends = new Set(arrivals.map((arrival) => `${arrival.url.origin}${arrival.url.pathname}`))
    expect([...ends].every((end) => end === bye || end === `${context.config.accountUrl}/logout`)).toBe(true)
    expect(await prisma.activity.count({ where: { kind: 'signed_out' } })).toBe(before + 1)
  })

  it('with forged cookies end no session', async () => {
    const { browser, context, hint, leave, silent } = await setUpSignedIn()
    browser.stops.add('/logout')
    const { url } = await leave({ id_token_hint: hint, post_logout_redirect_uri: bye })
    const names = [...browser.jar.keys()]
    const forged = (index: number) =>
      names.map((name) => `${name}=${randomBytes(60 + index).toString('base64url')}`).join('; ')
    const { accountUrl } = context.config
    const answers = await times((index) => {
      const headers = { cookie: forged(index), 'sec-fetch-site': 'same-origin' }
      const body = new URLSearchParams({ request: url.searchParams.get('request') ?? '' })
      return index % 2
        ? answerProvenLogout(context, new Request(`${accountUrl}/logout/end${url.search}`, { headers }))
        : answerSignOut(context, new Request(`${accountUrl}/logout/submit`, { method: 'POST', headers, body }))
    })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    expect(await silent()).toBeUndefined()
  })
})
