import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { openDatabase } from '#lib/db/engine/client'
import { messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { inPairs } from './in-pairs.ts'
import { expect, expectAccessible, problem, test, withAndWithoutScript } from './postern.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const texts = messagesFor('en')
const portrait = (background = '#7fb69b', width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()

const status = (page: Page) => page.locator('main [role=status] p').first()
const avatar = (page: Page) => page.locator('main section img')
/** Opens the dialog of the picture; without script the form is part of the page. */
async function openPicture(page: Page) {
  const opener = page.locator('#picture-change')
  if (await opener.isVisible()) await opener.click()
  await expect(page.locator('#picture-save')).toBeVisible()
}

withAndWithoutScript(() => {
  test('saves the profile, names a wrong field and accepts the correction', async ({ page, postern }) => {
    await arrive(page, postern, '/account/profile')
    await expectAccessible(page)
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(81))
    await page.getByLabel('Biography').fill('Compilers,\nand ships.')
    await page.getByLabel('Region').selectOption('US')
    await page.locator('#profile-save').click()
    await expect(page).toHaveTitle(/^Error: Profile/)
    await expect(problem(page)).toContainText('Shorten your name')
    await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Biography')).toHaveValue('Compilers,\nand ships.')
    await expectAccessible(page)
    await page.getByLabel('Name', { exact: true }).fill('Rear Admiral Grace')
    await page.getByLabel('Date of birth').fill('1906-12-09')
    await page.getByLabel('Gender').selectOption('female')
    await page.getByLabel('Language for apps').selectOption('ja')
    await page.locator('#profile-save').click()
    await expect(status(page)).toHaveText(texts.profile.saved)
    await expectAccessible(page)
    await expect(page.getByLabel('Region')).toHaveValue('US')
    await expect(page.getByLabel('Date of birth')).toHaveValue('1906-12-09')
    await page.goto('/account/activity')
    await expect(page.getByText(texts.activity.kinds.profile_changed)).toBeVisible()
    await expectAccessible(page)
  })

  test('adds a picture and removes it', async ({ page, postern, request }) => {
    await arrive(page, postern, '/account/profile')
    const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await portrait() }
    await openPicture(page)
    await page.getByLabel(texts.picture.choose).setInputFiles(file)
    await page.locator('#picture-save').click()
    await expect(status(page)).toHaveText(texts.picture.saved)
    await expect(page.getByText(texts.picture.savedWhat)).toBeVisible()
    const address = (await avatar(page).first().getAttribute('src')) as string
    const served = await request.get(address)
    expect(await sharp(await served.body()).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
    await expectAccessible(page)
    await openPicture(page)
    await page.getByLabel(texts.picture.choose).setInputFiles({ ...file, buffer: await portrait('#123456') })
    await page.locator('#picture-save').click()
    await expect(page.getByText(texts.picture.replacedWhat)).toBeVisible()
    expect((await request.get(address)).status()).toBe(404)
    await page.locator('#picture-remove').click()
    await expect(status(page)).toHaveText(texts.picture.removed)
    await expect(avatar(page)).toHaveCount(0)
  })

  test('rejects a file that is not a picture, with the reason beside the field', async ({ page, postern }) => {
    await arrive(page, postern, '/account/profile')
    const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') }
    await openPicture(page)
    await page.getByLabel(texts.picture.choose).setInputFiles(file)
    await page.locator('#picture-save').click()
    await expect(problem(page)).toContainText(texts.picture.problems.picture_kind)
    await expectAccessible(page)
  })

  test('deletes an account, withdraws every app at once, and restores the account', async ({ page, postern }) => {
    const person = await arrive(page, postern, '/account/data')
    await page.goto(postern.demoUrl)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('#consent-allow').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Grace Hopper')
    await page.goto(`${postern.accountUrl}/account/data`)
    await expectAccessible(page)
    await page.getByRole('link', { name: texts.data.delete.open }).click()
    await expectAccessible(page)
    await page.locator('#account-delete').click()
    await expect(problem(page)).toContainText(texts.deletion.problems.confirm_missing)
    await expectAccessible(page)
    await page.locator('#confirm').fill(person.username)
    await page.locator('#account-delete').click()
    await expect(page.getByText(/^Your account will be deleted on /)).toBeVisible()
    await expectAccessible(page)
    await page.goto(postern.demoUrl)
    await page.getByRole('button', { name: 'Refresh the tokens' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This app has lost its access')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname === '/account/data')
    await expect(page.getByText(texts.account.leaving.app)).toBeVisible()
    await page.locator('#account-keep').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Grace Hopper')
    await page.goto(`${postern.accountUrl}/account/activity`)
    await expect(page.getByText(texts.activity.kinds.deletion_undone)).toBeVisible()
    await expect(page.getByText(texts.activity.kinds.deletion_asked)).toBeVisible()
  })

  test('downloads all stored data as one file', async ({ page, postern }) => {
    const { username } = await arrive(page, postern, '/account/data')
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#data-download').click()])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^${username}-\\d{4}-\\d\\d-\\d\\d\\.json$`))
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk)
    expect(JSON.parse(String(Buffer.concat(chunks)))).toMatchObject({
      account: { username },
      profile: { name: 'Grace Hopper' },
    })
  })

  test('keeps language and appearance in the account, for other browsers too', async ({ page, postern, browser }) => {
    const ja = messagesFor('ja')
    const person = await arrive(page, postern, '/account/profile')
    await page.getByRole('contentinfo').getByRole('button', { name: '日本語' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ja.profile.title)
    await page.getByRole('contentinfo').getByRole('button', { name: ja.shell.dark }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    const other = await browser.newPage({ locale: 'en', baseURL: postern.accountUrl })
    await other.goto('/signin?to=/account')
    await expect(other.locator('html')).toHaveAttribute('lang', 'en')
    await signIn(other, person)
    await expect(other.getByRole('heading', { level: 1 })).toHaveText(ja.account.title)
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
    // An app's wish precedes the choice; a sign-out leaves the browser's own language.
    await other.goto('/account?ui_locales=zh-TW')
    await expect(other.locator('html')).toHaveAttribute('lang', 'zh-TW')
    await other.context().clearCookies()
    await other.goto('/signin?to=/account')
    await expect(other.locator('html')).toHaveAttribute('lang', 'en')
    await other.close()
  })
})

test('crops a picture by mouse and keyboard and shrinks a large photo, with script', async ({
  page,
  postern,
  request,
}) => {
  await arrive(page, postern, '/account/profile')
  // Half of the picture is red, half blue; the noise makes the file larger than the limit.
  const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
  const half = (background: string) => ({ create: { width: 2000, height: 2400, channels: 3 as const, background } })
  const buffer = await sharp({ create: { width: 4000, height: 2400, channels: 3, background: 'red', noise } })
    .composite([{ input: await sharp(half('blue')).png().toBuffer(), left: 2000, top: 0 }])
    .png({ compressionLevel: 1 })
    .toBuffer()
  expect(buffer.length).toBeGreaterThan(5 * 1024 * 1024)
  // A click on the avatar opens the dialog; nothing can be saved before a picture is chosen, or after a cancellation.
  await page
    .locator('main section span[aria-hidden]')
    .first()
    .click({ position: { x: 20, y: 20 }, force: true })
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await expect(page.locator('#picture-save')).toBeDisabled()
  await page.getByLabel(texts.picture.choose).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await expect(page.locator('#picture-save')).toBeEnabled()
  await cancel.click()
  await expect(cancel).toBeHidden()
  await page.locator('#picture-change').click()
  await expect(page.locator('#picture-save')).toBeDisabled()
  await page.getByLabel(texts.picture.choose).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await expect(page.getByRole('img', { name: texts.picture.preview })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel(texts.picture.across).focus()
  await page.keyboard.press('End')
  await page.locator('#picture-save').click()
  await expect(status(page)).toHaveText(texts.picture.saved)
  const served = await request.get((await avatar(page).first().getAttribute('src')) as string)
  const [r = 0, , b = 0] = await sharp(await served.body())
    .extract({ left: 400, top: 256, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  expect(b).toBeGreaterThan(200)
  expect(r).toBeLessThan(60)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('reports a photo that is too large beside its field, although the server does not read all of it', async ({
    page,
    postern,
  }) => {
    await arrive(page, postern, '/account/profile')
    const buffer = Buffer.alloc(9 * 1024 * 1024, 'x')
    await openPicture(page)
    await page.getByLabel(texts.picture.choose).setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer })
    await page.locator('#picture-save').click()
    await expect(page.getByText(texts.picture.problems.picture_large).first()).toBeVisible()
  })
})

withAndWithoutScript(() => {
  test('requires a new sign-in for sensitive steps after ten minutes and then continues where the person was', async ({
    page,
    postern,
  }) => {
    const person = await arrive(page, postern, '/account/email/change')
    const address = `${person.username}@example.org`
    await page.locator('[name=address]').fill(address)
    await age(postern, person.username)
    await page.locator('#email-submit').click()
    await signIn(page, person)
    await expect(page.locator('[name=address]')).toHaveValue(address)
    const notice = page.getByText(texts.confirmed.title)
    await expect(notice).toBeVisible()
    await expectAccessible(page)
    await page.locator('#email-submit').click()
    await expect(page.locator('[name=code]')).toBeVisible()
    await expect(notice).toBeHidden()

    await page.goto('/account/security/authenticator')
    const key = await page.locator('code').first().textContent()
    await age(postern, person.username)
    await page.locator('[name=code]').fill(inPairs('000000'))
    await page.locator('#totp-submit').click()
    await signIn(page, person)
    await expect(page.locator('code').first()).toHaveText(key ?? '')
  })
})

/** Moves a person's sign-in into the past. */
async function age(postern: ServerProcess, username: string) {
  const database = await openDatabase(postern.databaseUrl)
  const authenticatedAt = new Date(Date.now() - 11 * 60_000)
  await database.prisma.session.updateMany({ where: { person: { username } }, data: { authenticatedAt } })
  await database.close()
}
