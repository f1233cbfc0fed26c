import { expect, it } from 'vitest'
import { consentMark } from '#lib/oauth/consent/consent'
import { discovery } from '#lib/oauth/discovery/discovery'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { callback } from '#lib/testing/process/postern'

const start = shareFlow({ env: { ROLES: 'web,jobs' } })
const wanted = { scope: 'openid name email' }

it('asks again when a form hides the address where no relay address is offered, and shares none', async () => {
  const { context, browser, prisma } = await start()
  expect(context.config.offersRelay).toBe(false)
  const page = await browser.signIn(await browser.authorize(wanted))
  expect(placeOf(await browser.decide(page, { email_choice: 'hidden' }))).toBe('/consent')
  expect([await prisma.consent.count(), await prisma.alias.count()]).toEqual([0, 0])
  expect(placeOf(await browser.decide(page, { email_choice: 'regular' }))).toBe(callback)
  expect(await prisma.consent.findFirst()).toMatchObject({ emailChoice: 'regular' })
})

it('refuses to change a shared address into a relay address', async () => {
  const { context, browser, prisma, personId } = await start()
  const id = await personId('ada')
  await browser.decide(await browser.signIn(await browser.authorize(wanted)), { email_choice: 'regular' })
  const before = await context.consents.findConsent(id, 'acme-web')
  const session = await browser.shownSession()
  const shown = { app: 'acme-web', session, shown: before && consentMark(before), scope: ['openid', 'name'] }
  await browser.post('/account/sharing/change', { ...shown, email_choice: 'hidden' })
  expect(await prisma.consent.findFirst()).toMatchObject({ emailChoice: 'regular' })
  const alias = await prisma.alias.create({
    data: { address: 'abcdefghjkmn', personId: id, appId: 'acme-web', createdAt: context.now() },
  })
  const choice = { session, alias: alias.address, shown: shown.shown, email_choice: 'hidden' }
  await browser.post('/account/hide-my-email/choice', choice)
  expect(await prisma.consent.findFirst()).toMatchObject({ emailChoice: 'regular' })
})

it('lets a person keep the relay address that was chosen before', async () => {
  const { context, browser, prisma, personId } = await start()
  const id = await personId('ada')
  await browser.decide(await browser.signIn(await browser.authorize(wanted)), { email_choice: 'regular' })
  await prisma.consent.updateMany({ where: { personId: id }, data: { emailChoice: 'hidden' } })
  const page = await browser.authorize({ ...wanted, prompt: 'consent' })
  expect(placeOf(await browser.decide(page, { email_choice: 'hidden' }))).toBe(callback)
  expect((await context.consents.findConsent(id, 'acme-web'))?.emailChoice).toBe('hidden')
})

it('says nothing of relay addresses in the discovery document', async () => {
  const { context } = await start()
  expect(await discovery(context.discovery).text()).not.toMatch(/relay|hide/i)
})
