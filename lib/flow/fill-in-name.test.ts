import { expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { startFlow } from '#lib/testing/browser/flow'
import { openPostern } from '#lib/testing/process/postern'

async function setUp(name = '') {
  const postern = await openPostern()
  const { prisma } = postern.context.database
  await prisma.person.updateMany({ data: { name } })
  const { browser } = startFlow(postern)
  const consent = await browser.signIn(await browser.authorize({ scope: 'openid name' }))
  const stored = async () => (await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })).name
  const noted = () => prisma.activity.count({ where: { kind: 'profile_changed' } })
  const flash = () => readFlash(postern.context, browser.cookies(), 'consent')
  return { browser, consent, stored, noted, flash }
}

it('stores the name that a person without one types, and records it', async () => {
  const { browser, consent, stored, noted } = await setUp()
  const arrival = await browser.decide(consent, { scope: 'name', name: ' Ada Lovelace ' })
  expect(arrival.url.searchParams.has('code')).toBe(true)
  expect([await stored(), await noted()]).toEqual(['Ada Lovelace', 1])
})

it.each(['x'.repeat(81), 'Ada\u202Eevil'])('asks again for an invalid name, and keeps the choices', async (name) => {
  const { browser, consent, stored, flash } = await setUp()
  const again = await browser.decide(consent, { scope: 'name', name })
  expect(again.url.pathname).toBe('/consent')
  expect(await flash()).toMatchObject({ problems: [{ field: 'name' }], kept: { name, scope: 'name' } })
  expect(await stored()).toBe('')
})

it('leaves a name that is set, and an empty field', async () => {
  const named = await setUp('Ada L.')
  await named.browser.decide(named.consent, { scope: 'name', name: 'Eve' })
  expect(await named.stored()).toBe('Ada L.')
  const empty = await setUp()
  await empty.browser.decide(empty.consent, { scope: 'name', name: '  ' })
  expect([await empty.stored(), await empty.noted()]).toEqual(['', 0])
})
