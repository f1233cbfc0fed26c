import { demoPerson } from '#lib/server/demo/seed'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import { signIn } from './sign-in.ts'

withAndWithoutScript(() => {
  test('signs a new person in to the demo app, shows the received data, refreshes, signs in again silently and signs out everywhere', async ({
    page,
    postern,
    javaScriptEnabled,
  }) => {
    // The worker's server is shared: a person who has already consented would not be asked again.
    const person = {
      ...demoPerson,
      username: `grace-${javaScriptEnabled}`,
      name: 'Grace H.',
      email: `g-${javaScriptEnabled}@example.org`,
    }
    await postern.apply({ people: [person] })
    await page.goto(postern.demoUrl)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expectAccessible(page)
    await signIn(page, person)
    await expectAccessible(page)
    await page.locator('#consent-allow').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Grace H.')
    await expect(page.getByRole('row', { name: /^email / })).toContainText(/[a-z][a-z2-9]{11}@/)
    await expect(page.locator('pre').nth(1)).toContainText(/"email": "[a-z][a-z2-9]{11}@/)
    await page.getByRole('button', { name: 'Send me a message' }).click()
    await expect(page.getByText('Sent: 1.')).toBeInViewport()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Read it in the mailbox' }).click()
    await expect(page.getByRole('link', { name: 'A message of the Demo App' }).first()).toBeVisible()
    await page.goto(postern.demoUrl)
    await page.getByRole('link', { name: 'See and change what you share' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Demo App')
    await page.goto(postern.demoUrl)
    await expect(page.locator('body')).not.toContainText(person.email)
    await page.getByRole('button', { name: 'Refresh the tokens' }).click()
    await expect(page.getByText('Refreshed: 1')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out of this app only' }).click()
    await expect(page.getByText('You are still signed in at the identity provider')).toBeVisible()
    await page.getByRole('button', { name: 'Sign in' }).click()
    // With a session and a consent, the request is one chain of redirects without a page.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Grace H.')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out')
    expect(new URL(page.url()).origin).toBe(postern.demoUrl)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.locator('[name=username]')).toBeVisible()
  })
})

test('shows the loss of access in the demo app and restores it without a question', async ({ page, postern }) => {
  const person = { ...demoPerson, username: 'grace-takes-back', name: 'Grace H.', email: 'g-back@example.org' }
  await postern.apply({ people: [person] })
  await page.goto(postern.demoUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, person)
  await page.locator('#consent-allow').click()
  await page.goto(`${postern.accountUrl}/account/apps`)
  await expect(page.getByText('Sees your name, your username, and a relay address')).toBeVisible()
  await expect(page.getByText(/^Not set yet, so not shared for now: your nickname, your picture, and/)).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${postern.accountUrl}/account/apps/demo-app`)
  await page.locator('[name=scope][value=name]').uncheck()
  await page.locator('#sharing-save').click()
  await page.goto(postern.demoUrl)
  await page.getByRole('button', { name: 'Refresh the tokens' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This app has lost its access')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Postern User')
})

test('signs in with the person and password that the start prints', async ({ page, postern }) => {
  for (const text of [demoPerson.username, `"${demoPerson.password}"`]) expect(postern.logs()).toContain(text)
  await page.goto(postern.demoUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, demoPerson)
  await expect(page.locator('#consent-deny')).toBeVisible()
})

test('links the home page of an evaluation to the demo app', async ({ page, postern }) => {
  await page.goto(postern.accountUrl)
  await page.getByRole('link', { name: 'Sign in to the demo app' }).click()
  await expect(page).toHaveURL(new RegExp(`^${postern.demoUrl}`))
})

test('returns to the app with access_denied on cancel at sign-in and at consent', async ({ page, postern }) => {
  await page.goto(postern.demoUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#signin-cancel').click()
  await expect(page.getByRole('heading', { name: 'You cancelled' })).toBeVisible()
  expect(page.url()).toContain('error=access_denied')
  await page.goto(postern.demoUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, demoPerson)
  await page.locator('#consent-deny').click()
  await expect(page.getByRole('heading', { name: 'You cancelled' })).toBeVisible()
  expect(page.url()).toContain('error=access_denied')
})
