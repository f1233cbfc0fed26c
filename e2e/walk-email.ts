import { readCode, readLetter } from './binding.ts'
import { inPairs } from './in-pairs.ts'
import { signIn } from './sign-in.ts'
import { password, type Walk } from './walker.ts'

/** Changes the address, and undoes the change by the link in the letter to the old one. */
export async function walkEmail({ page, keep, username }: Walk) {
  const [old, next] = [`${username}@example.org`, `next-${username}@example.org`]
  await page.goto('/account/email/change')
  await page.locator('[name=address]').fill(next)
  await page.locator('#email-submit').click()
  await keep('account-email-code')
  await page.locator('[name=lost]').check()
  await page.locator('[name=code]').fill(inPairs('000000'))
  await page.locator('#code-submit').click()
  await keep('account-email-code-problem')
  await page.locator('[name=lost]').uncheck()
  await page.locator('[name=code]').fill(inPairs(await readCode(page, next)))
  await page.locator('#code-submit').click()
  await keep('account-email-changed')
  const { pathname, search } = new URL(/http\S+undo-email\S+/.exec(await readLetter(page, old))?.[0] ?? 'http://none')
  await page.goto(pathname + search)
  await keep('undo-email')
  await page.locator('[name=password]').fill('wrong')
  await page.locator('#undo-submit').click()
  await keep('undo-email-problem')
  await page.locator('summary').click()
  await page.locator('[name=code]').fill(inPairs('000000'))
  await page.locator('#undo-by-code').click()
  await keep('undo-email-code-problem')
  await page.locator('[name=password]').fill(password)
  await page.locator('#undo-submit').click()
  await keep('undo-email-undone')
  await page.goto('/undo-email?key=old')
  await keep('undo-email-over')
  // The undo ended the session that made the change.
  await page.goto('/signin?to=/account')
  await signIn(page, { username, password })
  await page.waitForURL(/\/account$/)
}
