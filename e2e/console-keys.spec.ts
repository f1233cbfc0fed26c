import { createPublicKey, verify } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { expect, expectAccessible, test } from './postern.ts'
import { signUp } from './sign-in.ts'

test.use({ settings: { DEMO: '1', TEAMS: 'open' } })

test('makes a key pair in the browser, whose private part is in no request', async ({ page, postern }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    sent.push([request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join(' '))
  })
  const script = Promise.withResolvers<void>()
  await page.route(/\/make-key\.js/, async (route) => {
    await script.promise
    await route.continue()
  })
  const username = await signUp(page, postern.accountUrl, '/console')
  await page.locator('[name=name]').fill(`Keys of ${username}`)
  await page.locator('#team-create').click()
  await page.locator('a[href$="/new-app"]').click()
  await page.locator('#kind-assertion').click()
  await page.locator('[name=name]').fill('Signing server')
  await page.locator('[name=redirect_uris]').fill('https://keys.example/callback')
  // A click before the script has loaded would do nothing.
  await expect(page.locator('button[data-generate]')).toBeDisabled()
  script.resolve()
  await page.locator('button[data-generate]').click()
  await expect(page.locator('[data-private]')).toBeVisible()
  await expectAccessible(page)
  const jwk = JSON.parse((await page.locator('#private-jwk').textContent()) ?? '') as Record<string, string>
  const pem = (await page.locator('#private-pem').textContent()) ?? ''
  const download = page.waitForEvent('download')
  await page.locator('a[download]').click()
  expect((await download).suggestedFilename()).toBe(`${jwk.kid}.pem`)
  await page.locator('#app-register').click()
  await page.locator('#app-client-id').waitFor()
  await page.goto(`${page.url()}/credentials`)
  await expect(page.locator('code', { hasText: jwk.kid ?? '' }).first()).toBeVisible()

  // The pair signs and verifies, and nothing that was sent contains the private half in any form.
  const { d = '', ...open } = jwk
  const [header, payload, signature] = (
    await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(await importJWK(jwk, 'ES256'))
  ).split('.')
  const key = { key: createPublicKey({ key: open, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
  const signed = Buffer.from(`${header}.${payload}`)
  expect(verify('sha256', signed, key, Buffer.from(signature ?? '', 'base64url'))).toBe(true)
  const bytes = Buffer.from(d, 'base64url')
  const forms = [d, encodeURIComponent(d), bytes.toString('hex'), bytes.toString('base64'), pem.split('\n')[1] ?? '']
  expect(sent.some((request) => request.includes(open.x ?? ''))).toBe(true)
  for (const form of forms) expect(sent.filter((request) => request.includes(form))).toEqual([])
})
