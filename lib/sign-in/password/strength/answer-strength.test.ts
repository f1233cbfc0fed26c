import { expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { openBrowser } from '#lib/testing/browser/browser'
import { shareFlow } from '#lib/testing/browser/flow'
import { answerStrength } from './answer-strength.ts'

const start = shareFlow()

async function setUp(headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) {
  const { context } = await start()
  const ask = async (fields: string | Record<string, string>) => {
    const answer = await answerStrength(
      context,
      new Request(`${context.config.accountUrl}/password/strength`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-postern-client': '192.0.2.1', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    return { status: answer.status, ...(await answer.json()) }
  }
  return { context, ask }
}

it.each([
  ['', null],
  ['short', 'short'],
  ['x'.repeat(257), 'long'],
  ['password1', 'common'],
  ['ada-lovelace-1815', 'common'],
  ['p4ssw0rdp4ssw0rd', 'weak'],
  ['the gate stands ajar', 'strong'],
])('says of “%s”: %s', async (password, strength) => {
  const { ask } = await setUp()
  expect(await ask({ password, username: 'ada-lovelace' })).toEqual({ status: 200, strength })
})

it('answers a form without fields, with repeated ones, and with a huge one', async () => {
  const { ask } = await setUp()
  expect(await ask({})).toEqual({ status: 200, strength: null })
  expect((await ask('password=the+gate+stands+ajar&password=x')).status).toBe(200)
  expect(await ask({ password: 'x'.repeat(30_000), username: 'y'.repeat(30_000) })).toEqual({
    status: 200,
    strength: 'long',
  })
})

it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])(
  'refuses a form of another site (%j)',
  async (headers) => {
    const { ask } = await setUp(headers as Record<string, string>)
    expect(await ask({ password: 'the gate stands ajar' })).toEqual({ status: 403, problem: 'not_from_here' })
  },
)

it.each([
  ['/signup?to=%2Faccount', 'signup', 'strong'],
  ['/recover/password?step=x', 'recover-password', 'strong'],
  ['/account/security/password', 'security-password', 'strong'],
])('shows the answer on the page %s for a visitor without a script', async (page, form, strength) => {
  const { context } = await setUp()
  const browser = openBrowser(context)
  const typed = { password: 'the gate stands ajar', username: 'ada', invitation: 'code' }
  const arrival = await browser.post('/password/strength', { page, ...typed })
  expect(arrival.url.pathname + arrival.url.search).toBe(page)
  const flash = await readFlash(context, browser.cookies(), form, { page, person: undefined })
  expect(flash).toMatchObject({ problems: [], kept: { username: 'ada', invitation: 'code', strength } })
  expect(JSON.stringify(flash)).not.toContain('ajar')
})

it.each(['https://evil.example/signup', '//evil.example/signup', '/account', '/constructor', '/signup/../console'])(
  'leads to no other page (%s)',
  async (page) => {
    const { ask } = await setUp()
    expect(await ask({ password: 'the gate stands ajar', page })).toEqual({ status: 400, problem: 'unknown_page' })
  },
)

it('estimates no more than 300 in ten minutes for one network, and still says what would be refused', async () => {
  const { context, ask } = await setUp()
  expect((await ask({ password: 'the gate stands ajar' })).strength).toBe('strong')
  for (let count = 0; count < 300; count++) await context.strengthLimit.fail('192.0.2.1')
  expect((await ask({ password: 'the gate stands ajar' })).strength).toBeNull()
  expect((await ask({ password: 'password1' })).strength).toBe('common')
})
