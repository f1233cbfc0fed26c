import { expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { shareFlow } from '#lib/testing/browser/flow'
import { share } from '#lib/testing/browser/share'

const start = shareFlow()

async function setUp() {
  const shared = await share(await start())
  const { context, browser, prisma, session } = shared
  await prisma.activity.deleteMany()
  const choose = async (choice: string | undefined, fields = {}) => {
    await browser.post('/account/hide-my-email/new-apps', { session, new_app_email: choice, ...fields })
    const flash = await readFlash(context, browser.cookies(), 'hide-my-email')
    return flash?.done ?? flash?.problems
  }
  const stored = async () => (await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })).newAppEmail
  const noted = async () => (await prisma.activity.findMany()).map(({ kind }) => kind)
  return { ...shared, choose, stored, noted }
}

it('stores the address that new apps start with, and records a change once', async () => {
  const { choose, stored, noted } = await setUp()
  expect(await choose('regular')).toBe('new_apps_regular')
  expect(await choose('regular')).toBe('new_apps_regular')
  expect([await stored(), await noted()]).toEqual(['regular', ['new_apps_regular']])
  expect(await choose('hidden')).toBe('new_apps_hidden')
  expect(await stored()).toBe('hidden')
})

it.each([undefined, '', 'none', 'REGULAR', 'x'.repeat(5000)])('refuses %s and changes nothing', async (choice) => {
  const { choose, stored, noted } = await setUp()
  expect(await choose(choice)).toEqual([{ code: 'choice' }])
  expect([await stored(), await noted()]).toEqual(['hidden', []])
})
