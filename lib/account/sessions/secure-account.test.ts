import { expect, it } from 'vitest'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { share } from '#lib/testing/browser/share'

const start = shareFlow()
const at = '2026-11-20T10:00:00.000Z'

it('never leads to another site, whatever the form says', async () => {
  const { browser, session } = await share(await start())
  for (const secure of ['//evil.example', 'https://evil.example/', '&to=x', 'x'.repeat(30_000)]) {
    const { url } = await browser.post('/account/security/sessions/others', { session, secure })
    expect([url.origin, url.pathname]).toEqual(['http://localhost:3001', '/account/activity/secure'])
    expect(url.searchParams.get('at')).toBe(secure.slice(0, 24))
  }
})

it('leads back to the steps of "This wasn’t me" from the forms that were reached from there', async () => {
  const { browser, session } = await share(await start())
  const others = (secure: string) => browser.post('/account/security/sessions/others', { session, apps: '1', secure })
  const steps = await others(at)
  expect([placeOf(steps), steps.parameters.at]).toEqual(['/account/activity/secure', at])
  expect(placeOf(await others(''))).toBe('/account/security')
  const change = (password: string) =>
    browser.post('/account/security/password/submit', { session, password, secure: at })
  const refused = await change('')
  expect([placeOf(refused), refused.parameters.secure]).toEqual(['/account/security/password', at])
  expect(placeOf(await change('a brand new pass phrase'))).toBe('/account/activity/secure')
})
