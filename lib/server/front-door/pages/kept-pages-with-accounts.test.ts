import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { rememberBrowser } from '#lib/account/sessions/known-browser'
import { sha256 } from '#lib/crypto/hash'
import { random } from '#lib/crypto/random'
import { sealRequest } from '#lib/flow/interaction'
import { readConfig } from '#lib/server/settings/config'
import { requestFor } from '#lib/testing/oauth/authorize-values'
import { sealer, servePages } from '#lib/testing/process/serve-pages'

const pages = servePages()
const site = { config: readConfig({}), ...sealer, random, signIn: { knownVersion: async () => 1 } }

/** Adds a person to the database. */
const account = (index: number, more: { name?: string; avatarFile?: string } = {}) => {
  const person = { id: `id-${index}`, username: `person-${index}`, name: '', avatarFile: undefined, ...more }
  pages.people.push(person)
  return person
}

const id = (index: number) => String(index).padStart(43, 'b')

/** Returns the cookies of a browser that remembers people, the latest first. */
async function cookiesOf(index: number, ...people: { id: string }[]) {
  const browser = `postern-browser=${id(index)}`
  let cookie = browser
  for (const person of people.toReversed()) {
    const request = new Request('http://localhost:3001', { headers: { cookie } })
    const [known] = (await rememberBrowser(site, request, { personId: person.id })).cookies
    cookie = `${browser}; ${known?.split(';')[0]}`
  }
  return { cookie }
}

it('renders the sign-in page once, and shows each of 200 browsers its own account and none of another', async () => {
  const browsers = await Promise.all(Array.from({ length: 200 }, (_, index) => cookiesOf(index, account(index))))
  const [first, ...others] = browsers.map((headers) => () => pages.ask('/signin', headers))
  const shown = [await first?.(), ...(await Promise.all(others.map((open) => open())))]
  expect(pages.renderings).toHaveLength(1)
  for (const [index, page] of shown.entries()) {
    expect(new Set(page?.html.match(/person-\d+/g))).toEqual(new Set([`person-${index}`]))
    expect(page?.headers['content-length']).toBe(String(page?.html.length))
  }
  const [rendering] = pages.renderings
  expect(JSON.stringify(rendering)).not.toMatch(/person-|id-|known/)
})

it('answers 200 browsers at once before a page is kept, each with its own account', async () => {
  const browsers = await Promise.all(Array.from({ length: 200 }, (_, index) => cookiesOf(index, account(index))))
  // No rendering ends before all of them have begun.
  const all = Promise.withResolvers<void>()
  pages.whileRendering = () => {
    if (pages.renderings.length === browsers.length) all.resolve()
    return all.promise
  }
  const shown = await Promise.all(browsers.map((headers) => pages.ask('/signin', headers)))
  expect(pages.renderings).toHaveLength(200)
  for (const [index, page] of shown.entries())
    expect(new Set(page?.html.match(/person-\d+/g))).toEqual(new Set([`person-${index}`]))
})

/** Returns the sealed request of an app in a browser. */
function requestIn(index: number) {
  const request = requestFor({ id: `request-of-${id(index)}`, issuedAt: Math.floor(Date.now() / 1000) })
  return sealRequest(sealer, { browser: sha256(id(index)) }, { request, progress: undefined })
}

it('shows the accounts of each browser in its order, with the app’s request of each', async () => {
  const [one, two, three] = [account(1), account(2), account(3)]
  const open = async (index: number, people: { id: string }[]) => {
    const sealed = requestIn(index)
    const { html } = await pages.ask(`/signin?request=${sealed}`, await cookiesOf(index, ...people))
    expect(html).toContain(sealed)
    return html.match(/person-\d/g)
  }
  expect(await open(1, [one, two])).toEqual(['person-1', 'person-2'])
  expect(await open(2, [three, one])).toEqual(['person-3', 'person-1'])
  expect(pages.renderings.map(({ cookie }) => cookie)).toEqual([`postern-browser=${id(1)}`])
})

const markOf = (person: { id: string }) => sha256(person.id).slice(0, 12)

it.each([
  ['without a destination', () => '/signin?who='],
  ['for a page of the account', () => '/signin?to=%2Faccount&who='],
  ['for an app', (index: number) => `/signin?request=${requestIn(index)}&who=`],
  ['for an app with languages', (index: number) => `/signin?request=${requestIn(index)}&ui_locales=ja&who=`],
])(
  'renders a sign-in page %s once for each position of the chosen face, with the mark of each browser',
  async (_, pathIn) => {
    const marks: string[] = []
    const browsers = [1, 2, 3].map((index) => ({ index, people: [account(index * 10), account(index * 10 + 1)] }))
    for (const at of [0, 1])
      for (const { index, people } of browsers) {
        const mark = markOf(people[at] as (typeof people)[0])
        marks.push(mark)
        const path = pathIn(index) + mark
        const { html } = await pages.ask(path, await cookiesOf(index, ...people))
        expect(html).toContain(`"url":"${path}"`)
        expect(new Set(html.match(/person-\d+/g))).toEqual(new Set(people.map(({ username }) => username)))
      }
    expect(pages.renderings).toHaveLength(2)
    const given = JSON.stringify([pages.renderings, pages.addresses])
    for (const mark of marks) expect(given).not.toContain(mark)
  },
)

it('keeps no page for another choice than a face of this browser', async () => {
  const [own, other] = [account(1), account(2)]
  const [mark, foreign] = [markOf(own), markOf(other)]
  const choices = [foreign, '', 'none', `${mark}x`, `${mark}&who=${mark}`, `${mark}&to=%2Faccount`, `${mark}%20`]
  const others = ['?to=/account?who=', '&who=', '?&who=', '?to=/account&as=other&who=', '?WHO=', '?to=/account%26who=']
  const ofApp = `?request=${requestIn(1)}`
  const ofApps = [`${ofApp}?who=`, `${ofApp}&ui_locales=ja?who=`, `${ofApp}&who=${mark}&ui_locales=`]
  const queries = [...choices.map((choice) => `?who=${choice}`), ...[...others, ...ofApps].map((one) => one + mark)]
  for (const query of queries)
    for (const _ of [1, 2]) {
      const { html } = await pages.ask(`/signin${query}`, await cookiesOf(1, own))
      expect(html).toContain(`"url":"/signin${query}"`)
    }
  expect(pages.renderings).toHaveLength(2 * queries.length)
  for (const { cookie } of pages.renderings) expect(cookie).toContain('postern-known')
})

it.each([
  ['without remembered accounts', ''],
  ['with a forged cookie', '; postern-known=forged'],
])('keeps no page with a chosen face for a browser %s', async (_, more) => {
  const headers = { cookie: `postern-browser=${id(1)}${more}` }
  for (const _time of [1, 2]) await pages.ask(`/signin?who=${markOf(account(1))}`, headers)
  expect(pages.renderings).toHaveLength(2)
})

it('shows each of 200 browsers at once the face that it chose, before and after the page is kept', async () => {
  const open = async (index: number) => {
    const people = [account(index), account(index + 200)]
    const mark = markOf(people[index % 2] as (typeof people)[0])
    const { html } = await pages.ask(`/signin?who=${mark}`, await cookiesOf(index, ...people))
    return [html.includes(`"url":"/signin?who=${mark}"`), ...new Set(html.match(/person-\d+/g))]
  }
  for (const _ of [1, 2]) {
    const indexes = Array.from({ length: 200 }, (_, index) => index)
    const shown = await Promise.all(indexes.map(open))
    expect(shown).toEqual(indexes.map((index) => [true, `person-${index}`, `person-${index + 200}`]))
    pages.people = []
  }
})

it('keeps one page for each number of accounts and each combination of name and picture', async () => {
  const kinds = [{}, { name: 'Ada' }, { avatarFile: 'a.webp' }, { name: 'Ada', avatarFile: 'a.webp' }]
  for (const times of [1, 2]) {
    for (const [at, kind] of kinds.entries()) {
      const { html } = await pages.ask('/signin', await cookiesOf(at, account(at * 10 + times, kind)))
      expect([html.includes('Ada'), html.includes('a.webp')]).toEqual(['name' in kind, 'avatarFile' in kind])
    }
    const five = [50, 60, 70, 80, 90].map((index) => account(index + times))
    const { html } = await pages.ask('/signin', await cookiesOf(9, ...five))
    expect(new Set(html.match(/person-\d+/g))).toEqual(new Set(five.map(({ username }) => username)))
  }
  await pages.ask('/signin', { cookie: `postern-browser=${id(1)}` })
  expect(pages.renderings).toHaveLength(6)
})

it.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onfocus='alert(1)`,
  '&lt;b&gt;',
  '$& $1 $` $<name> $$',
  'Zoë 山田 🦊 \u202e',
])('shows the name %s as text', async (name) => {
  await pages.ask('/signin', await cookiesOf(1, account(1, { name: 'Ada' })))
  const { html, headers } = await pages.ask('/signin', await cookiesOf(2, account(2, { name })))
  expect(pages.renderings).toHaveLength(1)
  const escaped = name.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
  expect(html).toContain(escaped)
  if (escaped !== name) expect(html).not.toContain(name)
  expect(headers['content-length']).toBe(String(Buffer.byteLength(html)))
})

it('fills no placeholder that a name contains', async () => {
  const own = account(1, { name: 'Ada' })
  await pages.ask('/signin', await cookiesOf(1, own))
  const [rendering] = pages.renderings
  const [planted] = /[\w-]{22}\.0\.username\./.exec(String(rendering?.['x-postern-placeholders'])) ?? []
  if (!planted) throw new Error('The page was rendered without a placeholder.')
  const { html } = await pages.ask('/signin', await cookiesOf(2, account(2, { name: planted })))
  expect([pages.renderings.length, html.split(planted).length]).toEqual([1, 2])
})

it('shows no account to a browser whose cookie is forged, names an unknown person, or belongs to another browser', async () => {
  const stranger = await pages.ask('/signin', { cookie: `postern-browser=${id(1)}` })
  const { cookie } = await cookiesOf(1, account(1))
  const others = [
    `postern-browser=${id(1)}; postern-known=forged`,
    cookie.replace(id(1), id(2)),
    (await cookiesOf(1, { id: 'nobody' })).cookie,
    cookie.replace(/postern-browser=\w+; /, ''),
  ]
  for (const one of others) expect((await pages.ask('/signin', { cookie: one })).same).toBe(stranger.same)
  expect(pages.renderings).toHaveLength(1)
})

it('shows no account on the home page, and asks for none', async () => {
  const home = await pages.ask('/')
  pages.beforeLookUp = () => Promise.reject(new Error('The home page needs no account.'))
  expect((await pages.ask('/', await cookiesOf(1, account(1)))).same).toBe(home.same)
})

it('shows an account no more as soon as the database does not have it', async () => {
  const headers = await cookiesOf(1, account(1))
  expect((await pages.ask('/signin', headers)).html).toContain('person-1')
  pages.people = []
  expect((await pages.ask('/signin', headers)).html).not.toContain('person-1')
})

it('renders a page again after a second, with the accounts of the browser that asks', async () => {
  const browsers = [await cookiesOf(1, account(1)), await cookiesOf(2, account(2)), await cookiesOf(3, account(3))]
  for (const [index, headers] of browsers.entries()) {
    expect((await pages.ask('/signin', headers)).html).toContain(`person-${index + 1}`)
    if (index === 0) vi.advanceTimersByTime(1_000)
  }
  expect(pages.renderings).toHaveLength(2)
})

it('renders nothing for a client that left during the look-up of its account', async () => {
  const headers = await cookiesOf(1, account(1))
  const client = new AbortController()
  pages.beforeLookUp = () => {
    client.abort()
    return once(pages.connection as Socket, 'close')
  }
  await expect(pages.ask('/signin', headers, 'GET', client.signal)).rejects.toThrow('aborted')
  await pages.answering
  expect(pages.renderings).toEqual([])
})
