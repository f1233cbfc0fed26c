import { expect, it } from 'vitest'
import { zonesOf } from '#lib/db/sign-in/sign-in-store'
import { openBrowser } from '#lib/testing/browser/browser'
import { shareFlow } from '#lib/testing/browser/flow'
import { lettersTo } from '#lib/testing/relay/mail'
import { zoneOfLetter } from './write-time.ts'

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
  const zoneOf = zonesOf(prisma)
  const [owner, theirs] = [{ to: 'x', locale: 'en', username: 'ada' }, { timeZone: 'Europe/Oslo' }]
  expect(await zoneOfLetter(zoneOf, owner)).toBe('UTC')
  await signInFrom('Asia/Tokyo')
  await signInFrom('America/Bogota')
  await signInFrom('')
  expect(await zoneOfLetter(zoneOf, owner)).toBe('America/Bogota')
  expect(await zoneOfLetter(zoneOf, { ...owner, timeZone: 'UTC' })).toBe('America/Bogota')
  expect(await zoneOfLetter(zoneOf, { ...owner, ...theirs })).toBe('Europe/Oslo')
  expect(await zoneOfLetter(zoneOf, { ...owner, username: 'bob' })).toBe('UTC')
  const day = { to: 'ada@zones.example.org', locale: 'en', username: 'ada', until: new Date('2027-01-02T03:04:05Z') }
  await context.letters.deletionByOperator(day)
  expect((await lettersTo(context, day.to))[0]?.text).toMatch(/January 1, 2027 at 10:04.PM.*GMT-5/)
})

it('is UTC while the database is away', async () => {
  const away = () => Promise.reject(new Error('away'))
  expect(await zoneOfLetter(away, { to: 'x', locale: 'en', username: 'ada' })).toBe('UTC')
})
