import { expect, it } from 'vitest'
import { ownerLookups } from '#lib/db/sign-in/sign-in-store'
import { openBrowser } from '#lib/testing/browser/browser'
import { shareFlow } from '#lib/testing/browser/flow'
import { lettersTo } from '#lib/testing/relay/mail'
import type { Recipient } from './letter-words.ts'
import { timeFormOfLetter } from './write-time.ts'

const start = shareFlow()

async function setUp() {
  const started = await start()
  const { context, prisma, later } = started
  const email = 'ada@zones.example.org'
  await prisma.person.update({ where: { username: 'ada' }, data: { email, locale: 'en' } })
  /** Signs in with a browser of its own in a time zone, and returns the letter about it. */
  const signInFrom = async (zone: string) => {
    const browser = openBrowser(context)
    if (zone) browser.jar.set('postern_zone', zone)
    await browser.signIn(await browser.authorize())
    await context.letters.settled()
    later(60)
    return (await lettersTo(context, email))[0]?.text ?? ''
  }
  return { ...started, signInFrom }
}

it('tells the time of a strange sign-in in the time zone of the owner', async () => {
  const { signInFrom } = await setUp()
  expect(await signInFrom('Asia/Tokyo')).toContain('GMT+9')
  expect(await signInFrom('America/Bogota')).toContain('GMT+9')
  expect(await signInFrom('')).toContain('GMT-5')
})

it('is the zone of the latest sign-in in a letter that no browser causes', async () => {
  const { prisma, signInFrom, context } = await setUp()
  const owner = { to: 'x', locale: 'en', username: 'ada' }
  const zoneOf = async (recipient: Recipient) =>
    (await timeFormOfLetter(ownerLookups(prisma).timeFormOf, recipient)).timeZone
  const sent = (timeZone: string) => ({ timeForm: { timeZone, english: '' } })
  expect(await zoneOf(owner)).toBe('')
  await signInFrom('Asia/Tokyo')
  await signInFrom('America/Bogota')
  await signInFrom('')
  expect(await zoneOf(owner)).toBe('America/Bogota')
  expect(await zoneOf({ ...owner, ...sent('') })).toBe('America/Bogota')
  expect(await zoneOf({ ...owner, ...sent('Europe/Oslo') })).toBe('Europe/Oslo')
  expect(await zoneOf({ ...owner, username: 'bob' })).toBe('')
  const day = { to: 'ada@zones.example.org', locale: 'en', username: 'ada', until: new Date('2027-01-02T03:04:05Z') }
  await context.letters.deletionByOperator(day)
  expect((await lettersTo(context, day.to))[0]?.text).toMatch(/January 1, 2027 at 10:04.PM.*GMT-5/)
})

it('writes dates as the region does whose English the browser asked for', async () => {
  const { context } = await setUp()
  const browser = openBrowser(context)
  browser.jar.set('postern_zone', 'Europe/London')
  const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en-GB,en;q=0.9' }
  await browser.signIn(await browser.authorize(), {}, headers)
  await context.letters.settled()
  const [letter] = await lettersTo(context, 'ada@zones.example.org')
  expect(letter?.text).toMatch(/\d{1,2} \p{L}+ \d{4} at \d\d:\d\d (GMT|BST)/u)
  const owner = { to: 'ada@zones.example.org', locale: 'en', username: 'ada' }
  await context.letters.deletionByOperator({ ...owner, until: new Date('2027-01-02T15:04:05Z') })
  expect((await lettersTo(context, owner.to))[0]?.text).toContain('2 January 2027 at 15:04 GMT')
  await context.letters.deletionByOperator({ ...owner, locale: 'ja', until: new Date('2027-01-02T15:04:05Z') })
  expect((await lettersTo(context, owner.to))[0]?.text).toContain('2027年1月2日 15:04 GMT')
})

it('is UTC while the database is away', async () => {
  const away = () => Promise.reject(new Error('away'))
  const unknown = { timeZone: '', english: '' }
  expect(await timeFormOfLetter(away, { to: 'x', locale: 'en', username: 'ada' })).toEqual(unknown)
})
