import { describe, expect, it } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { shareFlow } from '#lib/testing/browser/flow'
import { cookieName, readCookie } from './cookies.ts'

const onLoopback = shareFlow()
const public_ = {
  ISSUER: 'https://id.example.org',
  ACCOUNT_URL: 'https://account.example.org',
  SMTP_URL: 'smtp://mail.example.org',
  RELAY_DOMAIN: 'relay.example.org',
  OPERATOR_EMAIL: 'ops@example.org',
}
const onHttps = shareFlow({ env: public_ })

/** Returns the attributes of the cookies of a failed and of a successful sign-in. */
async function attributesOf({ browser }: Awaited<ReturnType<typeof onLoopback>>) {
  const page = await browser.authorize()
  const answers = [page, await browser.signIn(page, { password: 'x' }), await browser.signIn(page)]
  const lines = answers.flatMap(({ cookieLines }) => cookieLines).filter((line) => !line.includes('Max-Age=0;'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('; ') + 2)]))
}

describe('cookies', () => {
  it('sets cookies for the host only, HttpOnly and SameSite=Lax', async () => {
    expect(await attributesOf(await onLoopback())).toEqual({
      'postern-browser': 'Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax',
      'postern-flash': 'Path=/; Max-Age=120; HttpOnly; SameSite=Lax',
      'postern-known': 'Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax',
      'postern-session': 'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax',
    })
  })

  it('adds the __Host- prefix and Secure when the account host has https', async () => {
    expect(await attributesOf(await onHttps())).toEqual({
      '__Host-postern-browser': 'Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
      '__Host-postern-flash': 'Path=/; Max-Age=120; HttpOnly; SameSite=Lax; Secure',
      '__Host-postern-known': 'Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure',
      '__Host-postern-session': 'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    })
  })

  it('ignores a session cookie without the prefix over https', async () => {
    const { browser, context } = await onHttps()
    await browser.signIn(await browser.authorize())
    const other = openBrowser(context)
    other.jar.set('postern-session', browser.jar.get('__Host-postern-session') as string)
    expect(await other.shownSession()).toBeUndefined()
    other.jar.set('__Host-postern-session', browser.jar.get('__Host-postern-session') as string)
    expect(await other.shownSession()).toBeDefined()
  })

  it('keeps every cookie below the limit of browsers', async () => {
    const { browser } = await onHttps()
    await browser.signIn(await browser.authorize())
    for (const [name, value] of browser.jar) expect(`${name}=${value}`.length).toBeLessThan(4096)
  })
})

describe('the browser’s id', () => {
  it('has 256 bits, is set once, and survives sign-in and sign-out', async () => {
    const { browser } = await onLoopback()
    const page = await browser.authorize()
    const id = browser.jar.get('postern-browser')
    expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/)
    await browser.signIn(page)
    await browser.post('/logout/submit', {})
    expect((await browser.authorize()).cookieLines).toEqual([])
    expect(browser.jar.get('postern-browser')).toBe(id)
  })

  it.each(['', 'x', 'x'.repeat(44), `${'x'.repeat(42)}"`])('is replaced when it is %j', async (id) => {
    const { browser } = await onLoopback()
    browser.jar.set('postern-browser', id)
    await browser.authorize()
    expect(browser.jar.get('postern-browser')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(browser.jar.get('postern-browser')).not.toBe(id)
  })
})

it.each([
  ['a=1; b=2', 'b', '2'],
  ['a=1;b=2', 'b', '2'],
  ['ab=1; b=2', 'b', '2'],
  ['b=x=y==', 'b', 'x=y=='],
  ['b=1; b=2', 'b', '1'],
  ['b', 'b', undefined],
  ['', 'b', undefined],
  [null, 'b', undefined],
])('reads in %j the cookie %s as %j', (header, name, expected) => {
  expect(readCookie(header, name)).toBe(expected)
})

it('names cookies by the scheme of the account host', () => {
  const named = (accountUrl: string) =>
    cookieName({ config: { accountUrl } } as Parameters<typeof cookieName>[0], 'session')
  expect([named('http://localhost:3001'), named('https://a.example')]).toEqual([
    'postern-session',
    '__Host-postern-session',
  ])
})
