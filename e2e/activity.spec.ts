import { messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'

const texts = messagesFor('en')

withAndWithoutScript(() => {
  test('filters the activity, and leads from an event through securing the account', async ({ page, postern }) => {
    await arrive(page, postern, '/account/activity')
    const { filter, find, noneOfKind, secureFlow, kinds, notMe } = texts.activity
    await page.getByRole('link', { name: filter.apps }).last().click()
    await expect(page.getByText(noneOfKind)).toBeVisible()
    await page.locator('[name=q]').fill('nothing like it')
    await page.locator('#activity-filter').click()
    await expect(page.getByText(find.none)).toBeVisible()
    expect(new URL(page.url()).searchParams.get('about')).toBe('apps')
    await expectAccessible(page)
    await page.getByRole('link', { name: filter.sign_ins }).click()
    await page.locator('[name=q]').fill(kinds.signed_in.toUpperCase())
    await page.locator('#activity-filter').click()
    await expectAccessible(page)
    await page.getByRole('link', { name: notMe }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(secureFlow.title)
    await expect(page.getByText(kinds.signed_in)).toBeVisible()
    await expect(page.getByText(secureFlow.sessionsDone)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: secureFlow.password }).click()
    await page.locator('[name=password]').fill('a brand new pass phrase')
    await page.locator('#password-submit').click()
    await page.waitForURL(/\/account\/activity\/secure\?at=/)
    await expect(page.getByText(secureFlow.passwordDone)).toBeVisible()
    await page.getByRole('link', { name: secureFlow.factorsDo }).click()
    await page.getByRole('link', { name: texts.security.codes.make }).click()
    await page.locator('form[action$="/codes/make"] button').click()
    const back = page.getByRole('link', { name: secureFlow.back })
    await expectAccessible(page)
    await back.click()
    await page.waitForURL(/\/account\/activity\/secure\?at=/)
    for (const step of [secureFlow.emailDo, secureFlow.appsDo]) {
      await page.getByRole('link', { name: step }).click()
      await back.click()
    }
    await page.getByRole('link', { name: secureFlow.finish }).click()
    await page.goto(`${postern.accountUrl}/account/apps`)
    await expect(back).toHaveCount(0)
  })
})
