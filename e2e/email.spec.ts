import { messagesFor } from '#lib/text/messages'
import { arriveAtApp, comeWithoutAddress, password, readCode } from './binding.ts'
import { inPairs } from './in-pairs.ts'
import { expect, expectAccessible, problem, test, withAndWithoutScript } from './postern.ts'

const wrongFor = (code: string) => (code === '000000' ? '000 001' : '000 000')

withAndWithoutScript(() => {
  test('binds an address on the way to an app that requires one and continues to the app', async ({
    page,
    postern,
  }) => {
    const { address } = await comeWithoutAddress(page, postern)
    await expectAccessible(page)
    await page.locator('[name=address]').fill('no address')
    await page.locator('#bind-submit').click()
    await expect(page.locator('[name=address]')).toHaveValue('no address')
    await expectAccessible(page)
    await page.locator('[name=address]').fill(address)
    await page.locator('#bind-submit').click()
    await expect(page.getByText(address)).toBeVisible()
    await expectAccessible(page)
    const code = await readCode(page, address)
    await page.locator('[name=code]').fill(inPairs(wrongFor(code)))
    await page.locator('#code-submit').click()
    await expect(problem(page)).toContainText('4 attempts are left')
    await expectAccessible(page)
    await page.locator('[name=code]').fill(inPairs(code))
    await page.locator('#code-submit').click()
    const back = await arriveAtApp(page, () => page.locator('#consent-allow').click())
    expect(back.searchParams.get('code')).toBeTruthy()
  })
})

test('invalidates a code after five wrong attempts, delays the next one, and sends one to another address at once', async ({
  page,
  postern,
}) => {
  const { address } = await comeWithoutAddress(page, postern)
  await expectAccessible(page)
  await page.locator('[name=address]').fill('no address')
  await page.locator('#bind-submit').click()
  await expect(problem(page)).toBeVisible()
  await expect(page.locator('[name=address]')).toHaveValue('no address')
  await expectAccessible(page)
  await page.locator('[name=address]').fill(address)
  await page.locator('#bind-submit').click()
  await expect(page.getByText(address)).toBeVisible()
  await expectAccessible(page)
  const code = await readCode(page, address)
  for (const said of [
    '4 attempts are left',
    '3 attempts are left',
    '2 attempts are left',
    'One attempt is left',
    'no longer works',
  ]) {
    await page.locator('[name=code]').fill(inPairs(wrongFor(code)))
    await page.locator('#code-submit').click()
    await expect(problem(page)).toContainText(said)
  }
  await expectAccessible(page)
  await page.locator('[name=code]').fill(inPairs(code))
  await page.locator('#code-submit').click()
  await expect(problem(page)).toContainText('no longer works')
  // The next code is available after half a minute, and the page shows the remaining time.
  await page.locator('#code-resend').click()
  await expect(problem(page)).toContainText(/Wait \d+ second/)
  await page.getByRole('link', { name: 'Use another address' }).click()
  await expect(page.locator('#bind-submit')).toBeVisible()
  await page.locator('[name=address]').fill(`second-${address}`)
  await page.locator('#bind-submit').click()
  const second = await readCode(page, `second-${address}`)
  await page.locator('[name=code]').fill(inPairs(second))
  await page.locator('#code-submit').click()
  await expect(page.locator('#consent-allow')).toBeVisible()
  await expect(page.getByText(`second-${address}`).first()).toBeVisible()
  const back = await arriveAtApp(page, () => page.locator('#consent-allow').click())
  expect(back.searchParams.get('code')).toBeTruthy()
})

test('returns to the app on cancel on the code page', async ({ page, postern }) => {
  const { address } = await comeWithoutAddress(page, postern)
  await page.locator('[name=address]').fill(address)
  await page.locator('#bind-submit').click()
  const back = await arriveAtApp(page, () => page.locator('#code-cancel').click())
  expect(back.searchParams.get('error')).toBe('access_denied')
})

test('sends the code with its last digit and reaches the other options with Tab', async ({ page, postern }) => {
  const { address } = await comeWithoutAddress(page, postern)
  await page.locator('[name=address]').focus()
  await page.keyboard.type(address)
  await page.keyboard.press('Enter')
  await expect(page.locator('[name=code]')).toBeVisible()
  await page.locator('[name=code]').focus()
  const code = await readCode(page, address)
  await page.keyboard.type(inPairs(code))
  for (const id of ['code-submit', 'code-resend', 'code-cancel']) {
    await page.keyboard.press('Tab')
    await expect(page.locator(`#${id}`)).toBeFocused()
  }
  await page.locator('[name=code]').clear()
  // The button that sends the form shows that it is busy, so the last digit must send the form through the button.
  await page.evaluate(() => {
    addEventListener('submit', ({ submitter }) => sessionStorage.setItem('pressed', `${submitter?.id}`))
  })
  await page.keyboard.type(code)
  await expect(page.locator('#consent-allow')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('pressed'))).toBe('code-submit')
})

for (const locale of ['en', 'ja', 'zh-CN'] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })
    test('recovers a forgotten password by e-mail and changes the address', async ({ page, postern }) => {
      const username = `lost-${locale.toLowerCase()}-${process.pid}`
      const address = `${username}@example.org`
      await postern.apply({ people: [{ username, password, email: address, locale }] })
      const { recover, bindEmail, email } = messagesFor(locale)
      await page.goto('/recover')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(recover.heading)
      await expectAccessible(page)
      await page.locator('[name=login]').fill(username)
      await page.locator('#recover-submit').click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(recover.code.heading)
      await expectAccessible(page)
      await page.locator('[name=code]').fill(inPairs('000000'))
      await page.locator('#code-submit').click()
      await expect(problem(page)).toContainText(recover.problems.code_wrong)
      await page.locator('[name=code]').fill(inPairs(await readCode(page, address)))
      await page.locator('#code-submit').click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(recover.password.heading)
      await expectAccessible(page)
      await page.locator('[name=password]').fill(`${password} again`)
      await page.locator('#password-submit').click()
      await page.waitForURL(/\/account$/)
      await page.goto('/account/email')
      await expect(page.getByText(address)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: email.change }).click()
      await expectAccessible(page)
      await page.locator('[name=address]').fill(`new-${address}`)
      await page.locator('#email-submit').click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(bindEmail.code.heading)
      await expectAccessible(page)
      await page.locator('[name=code]').fill(inPairs(await readCode(page, `new-${address}`)))
      await page.locator('#code-submit').click()
      await expect(page.getByRole('status')).toContainText(email.done.changed)
      await expect(page.getByText(`new-${address}`)).toBeVisible()
      await page.getByRole('link', { name: email.remove }).click()
      await expectAccessible(page)
      await page.locator('#email-remove').click()
      await expect(page.getByRole('status')).toContainText(email.done.removed)
      await expectAccessible(page)
    })
  })
}

test('sends another code with its last digit after a wrong one, but never the same twice', async ({
  page,
  postern,
}) => {
  const { address } = await comeWithoutAddress(page, postern)
  await page.locator('[name=address]').fill(address)
  await page.locator('#bind-submit').click()
  const code = await readCode(page, address)
  const wrong = wrongFor(code).replace(' ', '')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  const type = async (digits: string) => {
    await page.locator('[name=code]').clear()
    await page.locator('[name=code]').pressSequentially(digits)
  }
  await type(wrong)
  await expect(problem(page)).toContainText('4 attempts are left')
  await type(wrong)
  await page.locator('#code-submit').click()
  await expect(problem(page)).toContainText('3 attempts are left')
  await type(wrong)
  await type(`${wrong.slice(0, 3)} ${wrong.slice(3)}`)
  expect(sent).toHaveLength(2)
  await type(code)
  await expect(page.locator('#consent-allow')).toBeVisible()
  expect(sent).toHaveLength(3)
})

test('shows e-mails in the inbox as text and as sandboxed HTML', async ({ page, postern }) => {
  const { address } = await comeWithoutAddress(page, postern)
  await page.locator('[name=address]').fill(address)
  await page.locator('#bind-submit').click()
  await page.goto('/')
  await page.getByRole('link', { name: messagesFor('en').inbox.link }).click()
  await expectAccessible(page)
  await page.getByRole('listitem').filter({ hasText: address }).getByRole('link').click()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const headings = [page.locator('h1'), page.frameLocator('iframe').locator('h1')]
  for (const heading of headings) expect(await heading.evaluate(linesOfEmail)).toBe(1)
  await page.locator('a[href^="/dev/inbox/source/"]').click()
  await expect(page.locator('body')).toContainText('MIME-Version: 1.0')
  await page.goBack()
  const [answer] = await Promise.all([page.waitForResponse(/\/dev\/inbox\/html\//), page.reload()])
  expect(answer.headers()['content-security-policy']).toMatch(/^sandbox allow-popups [\w-]+; default-src 'none'/)
  await expect(page.frameLocator('iframe').locator('code')).toHaveText(/^\d{6}$/)
})

/** Returns on how many lines the word "e-mail" of a heading is. */
function linesOfEmail(heading: Element): number {
  const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const at = text.textContent?.indexOf('e-mail') ?? -1
    if (at < 0) continue
    const range = document.createRange()
    range.setStart(text, at)
    range.setEnd(text, at + 'e-mail'.length)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size
  }
  return 0
}
