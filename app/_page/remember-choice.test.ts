import { describe, expect, it } from 'vitest'
import { startFlow } from '#lib/testing/browser/flow'
import { openPostern } from '#lib/testing/process/postern'
import { rememberChoice } from './remember-choice.ts'

const language = { cookie: 'postern_language', column: 'pageLanguage', allowed: ['en', 'ja'] } as const

const { context: local } = await openPostern()
const context = { ...local, config: { ...local.config, accountUrl: 'https://account.example' } }

function post(fields: Record<string, string>, headers: Record<string, string> = {}): Request {
  return new Request('https://account.example/language', { method: 'POST', body: new URLSearchParams(fields), headers })
}

describe('rememberChoice', () => {
  it('stores an allowed choice and redirects to the given page', async () => {
    const answer = await rememberChoice(context, post({ to: 'ja', back: '/signin?r=abc' }), language)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/signin?r=abc')
    expect(answer.headers.get('set-cookie')).toBe(
      'postern_language=ja; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
    )
  })

  it('removes the parameter that would override the choice', async () => {
    const answer = await rememberChoice(context, post({ to: 'ja', back: '/signin?ui_locales=en+fr&r=abc' }), {
      ...language,
      overrides: 'ui_locales',
    })
    expect(answer.headers.get('location')).toBe('/signin?r=abc')
  })

  it('redirects to the referring page when no page is given', async () => {
    const referer = 'https://account.example/error?e=1'
    const answer = await rememberChoice(context, post({ to: 'en' }, { referer }), language)
    expect(answer.headers.get('location')).toBe('/error?e=1')
  })

  it('ignores an unknown choice and never redirects to another host', async () => {
    const answer = await rememberChoice(context, post({ to: 'ja; Domain=evil', back: '//evil.example/' }), language)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('location')).toBe('/')
  })

  it('redirects a malformed form to the home page', async () => {
    const request = new Request('https://account.example/theme', { method: 'POST', body: '{}' })
    expect((await rememberChoice(context, request, language)).headers.get('location')).toBe('/')
  })
})

describe('rememberChoice of a person signed in', () => {
  it('stores the choice in the account, but not for a form of another site', async () => {
    const postern = await openPostern()
    const { browser } = startFlow(postern)
    await browser.signIn(await browser.authorize({ scope: 'openid' }))
    const cookie = browser.cookies()
    const choose = (to: string, site: string) =>
      rememberChoice(postern.context, post({ to }, { cookie, 'sec-fetch-site': site }), language)
    const stored = async () =>
      (await postern.context.database.prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })).pageLanguage
    await choose('ja', 'same-origin')
    expect(await stored()).toBe('ja')
    await choose('en', 'cross-site')
    expect(await stored()).toBe('ja')
  })
})
