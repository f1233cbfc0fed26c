import type { Page } from '@playwright/test'
import { locales, messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { readCode } from './binding.ts'
import { hideFromApp, whenRelayHas } from './hide-from-app.ts'
import { inPairs } from './in-pairs.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'

const { hideMyEmail: texts, mailPaused, activity } = messagesFor('en')
const status = (page: Page) => page.locator('main [role=status] p').first()

withAndWithoutScript(() => {
  test('explains Hide My Email to a person without hidden addresses, and stores the choice for new apps', async ({
    page,
    postern,
  }) => {
    await arrive(page, postern, '/account/hide-my-email')
    await expect(page.getByText(texts.empty.title)).toBeVisible()
    await expect(page.locator('[name=new_app_email][value=hidden]')).toBeChecked()
    await page.locator('[name=new_app_email][value=regular]').check()
    await page.locator('#new-app-email-save').click()
    await expect(status(page)).toHaveText(texts.done.new_apps_regular.title)
    await expect(page.locator('[name=new_app_email][value=regular]')).toBeChecked()
    await expectAccessible(page)
    await page.getByRole('link', { name: texts.empty.action }).click()
    await page.waitForURL(/\/account\/apps$/)
  })

  test('finds an alias, switches it off and on, and keeps it at the app', async ({ page, postern }) => {
    const { app, alias, seenByApp } = await hideFromApp(page, postern)
    await page.goto('/account')
    await page.getByRole('link', { name: messagesFor('en').account.sections.hideMyEmail }).click()
    await expect(page.getByText(alias)).toBeVisible()
    await expect(page.getByText(texts.row.noMail)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: app }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(app)
    await expectAccessible(page)
    await page.locator('#alias-switch').click()
    await expect(status(page)).toHaveText(texts.done.off.title)
    await expect(page.getByText(texts.state.off, { exact: true })).toBeVisible()
    await expect(page.locator('#alias-test')).toHaveCount(0)
    await expectAccessible(page)
    expect(await seenByApp()).toBe(alias)
    await page.goto('/account/hide-my-email')
    await expect(page.getByText(texts.state.off, { exact: true })).toBeVisible()
    await page.getByRole('link', { name: app }).click()
    await page.locator('#alias-switch').click()
    await expect(status(page)).toHaveText(texts.done.on.title)
    await expect(page.locator('#alias-test')).toBeVisible()
    await page.goto('/account/activity')
    await expect(page.getByText('You turned off your relay address for')).toBeVisible()
    await expect(page.getByText('You turned on your relay address for')).toBeVisible()
  })

  test('labels an address, finds it among ten, and switches it in the list', async ({ page, postern }) => {
    const { path, person, app } = await hideFromApp(page, postern)
    await page.goto(path)
    await page.locator('[name=label]').fill('x'.repeat(61))
    await page.locator('#alias-words').click()
    await expect(page.locator('[name=label]')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await page.locator('[name=label]').fill('Garden shop')
    await page.locator('#alias-words').click()
    await expect(status(page)).toHaveText(texts.done.described.title)
    await whenRelayHas(postern, async (prisma) => {
      const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: person.username } })
      const address = (index: number) => `${person.username}${index}`
      const data = Array.from({ length: 9 }, (_, index) => ({
        address: address(index),
        personId,
        createdAt: new Date(),
      }))
      await prisma.alias.createMany({ data })
    })
    await page.goto('/account/hide-my-email')
    await expect(page.locator('main h2 a')).toHaveCount(10)
    await page.locator('#q').fill('GARDEN')
    await page.locator('#alias-search').click()
    await expect(page.locator('main h2 a')).toHaveText('Garden shop')
    await expect(page.getByText(app, { exact: true })).toBeVisible()
    await page.getByRole('switch', { name: 'Garden shop' }).click()
    await expect(page.getByRole('switch', { name: 'Garden shop' })).not.toBeChecked()
    expect(new URL(page.url()).search).toBe('?q=GARDEN')
    await expectAccessible(page)
  })

  test('gives an app the regular address after one question, and the hidden one again', async ({ page, postern }) => {
    const { person, path, alias, seenByApp } = await hideFromApp(page, postern)
    await page.goto(path)
    await page.getByRole('button', { name: texts.choice.open }).click()
    await expect(page.getByRole('dialog')).toContainText(person.email)
    await expectAccessible(page)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: messagesFor('en').dialog.cancel })
      .click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await seenByApp()).toBe(alias)
    await page.getByRole('button', { name: texts.choice.open }).click()
    await page.locator('#alias-share').click()
    await expect(status(page)).toHaveText(texts.done.regular.title)
    await expectAccessible(page)
    expect(await seenByApp()).toBe(person.email)
    await page.locator('#alias-hide').click()
    await expect(status(page)).toHaveText(texts.done.hidden.title)
    expect(await seenByApp()).toBe(alias)
  })

  test('pauses forwarding after bounces until a code from the inbox confirms the address', async ({
    page,
    postern,
  }) => {
    // The test opens many pages and checks each with axe.
    test.slow()
    const { person, path, app } = await hideFromApp(page, postern)
    await whenRelayHas(postern, async (prisma) => {
      const { id: personId } = await prisma.person.update({
        where: { username: person.username },
        data: { mailPausedAt: new Date() },
      })
      const noted = { personId, at: new Date(), address: '', device: '' }
      await prisma.activity.create({ data: { ...noted, id: `paused-${personId}`, kind: 'mail_paused', detail: '{}' } })
      const detail = JSON.stringify({ app })
      await prisma.activity.create({
        data: { ...noted, id: `reply-${personId}`, kind: 'reply_undelivered', detail },
      })
    })
    for (const where of ['/account/email', '/account/hide-my-email', path]) {
      await page.goto(where)
      await expect(page.getByText(mailPaused.title)).toBeVisible()
      await expectAccessible(page)
    }
    await expect(page.getByText(texts.state.paused, { exact: true })).toBeVisible()
    await page.locator('#email-confirm').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(mailPaused.confirmTitle)
    await expectAccessible(page)
    await page.locator('[name=code]').fill('12')
    await page.locator('#code-submit').click()
    await expect(page).toHaveTitle(new RegExp(`^${mailPaused.problemTitle}`))
    await expectAccessible(page)
    await page.locator('[name=code]').fill(inPairs(await readCode(page, person.email)))
    await page.locator('#code-submit').click()
    await expect(status(page)).toHaveText(mailPaused.done)
    await expect(page.getByText(mailPaused.title)).toHaveCount(0)
    await page.goto('/account/activity')
    await expect(page.getByText(activity.kinds.mail_paused)).toBeVisible()
    await expect(page.getByText(activity.kinds.mail_confirmed)).toBeVisible()
    const reply = page.getByRole('listitem').filter({ hasText: 'couldn’t be delivered' })
    await expect(reply).toContainText(app)
    await expect(reply).not.toContainText(activity.unknownDevice)
    await expectAccessible(page)
  })
})

test('copies an address with one press and stays on the list', async ({ page, postern, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: postern.accountUrl })
  const { alias } = await hideFromApp(page, postern)
  await page.goto('/account/hide-my-email')
  const { copy, copied } = messagesFor('en').code
  await page.getByRole('button', { name: copy }).click()
  await expect(page.getByRole('button', { name: copied })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(alias)
  expect(new URL(page.url()).pathname).toBe('/account/hide-my-email')
})

test('opens the page of an address from anywhere in its row', async ({ page, postern }) => {
  const { path } = await hideFromApp(page, postern)
  await page.goto('/account/hide-my-email')
  await page
    .getByRole('listitem')
    .filter({ hasText: texts.row.noMail })
    .click({ position: { x: 20, y: 90 } })
  await page.waitForURL((url) => url.pathname === path)
})

test('reaches every step with the keyboard and returns the focus after a dialog', async ({ page, postern }) => {
  const { path, seenByApp, alias } = await hideFromApp(page, postern)
  await page.goto(path)
  await page.getByRole('link', { name: texts.back }).focus()
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)
  const stops: unknown[] = []
  for (let press = 0; press < 8; press++) {
    await page.keyboard.press('Tab')
    stops.push(await focused())
  }
  const { copy } = messagesFor('en').code
  const words = ['label', 'note', 'alias-words']
  const choice = [texts.choice.open, 'Everything Acme Letters can see']
  expect(stops).toEqual([copy, 'alias-switch', ...words, ...choice, 'alias-test'])
  await page.getByRole('button', { name: texts.choice.open }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('#alias-share')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: texts.choice.open })).toBeFocused()
  expect(await seenByApp()).toBe(alias)
  await page.locator('#alias-switch').focus()
  await page.keyboard.press('Enter')
  await expect(status(page)).toHaveText(texts.done.off.title)
})

test('explains why an address is closed and does not find another person’s address', async ({ page, postern }) => {
  const { app, appPath, path } = await hideFromApp(page, postern)
  await page.goto(appPath)
  await page.locator('[name=email_choice][value=none]').check()
  await page.locator('#sharing-save').click()
  await page.goto(path)
  await expect(page.getByText(`You no longer share an e-mail address with ${app}`)).toBeVisible()
  await expect(page.locator('#alias-switch, #alias-test, #alias-hide')).toHaveCount(0)
  await expectAccessible(page)
  await page.goto(appPath)
  await page.locator('button[commandfor=stop-sharing-dialog]').first().click()
  await page.locator('#stop-sharing').click()
  await page.goto(path)
  await expect(page.getByText(`You stopped sharing with ${app}`)).toBeVisible()
  await page.goto('/account/hide-my-email/zzzzzzzzzzzz')
  await expect(page.getByText(messagesFor('en').fault.notFound.title)).toBeVisible()
})

for (const [colorScheme, languages] of [
  ['light', locales],
  ['dark', ['ja']],
] as const) {
  test.describe(`on a small phone, ${colorScheme}`, () => {
    test.use({ viewport: { width: 320, height: 640 }, colorScheme })

    test(`cuts nothing off and never scrolls sideways: ${languages}`, async ({ page, postern, context }) => {
      // The test opens every page in every language and checks each with axe.
      test.slow()
      const { path, person, alias } = await hideFromApp(page, postern)
      const address = alias.split('@')[0] as string
      const traffic = { forwarded: 12_345, blocked: 678, replied: 90, lastMailAt: new Date() }
      await whenRelayHas(postern, async (prisma) => {
        await prisma.alias.update({ where: { address }, data: traffic })
        const mailPausedAt = new Date()
        await prisma.person.update({ where: { username: person.username }, data: { mailPausedAt } })
      })
      for (const locale of languages) {
        await context.addCookies([{ name: 'postern_language', value: locale, url: postern.accountUrl }])
        for (const where of ['/account/hide-my-email', path, '/account/email', '/account/email/confirm']) {
          await page.goto(where)
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect([locale, where, Math.max(wider, 0)]).toEqual([locale, where, 0])
          await expect(page.locator('html')).toHaveAttribute('lang', locale)
          await expectAccessible(page)
        }
      }
    })
  })
}
