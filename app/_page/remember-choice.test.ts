import { describe, expect, it } from 'vitest'
import { rememberChoice } from './remember-choice.ts'

const language = { cookie: 'postern_language', allowed: ['en', 'ja'], secure: true }

function post(fields: Record<string, string>, headers: Record<string, string> = {}): Request {
  return new Request('https://account.example/language', { method: 'POST', body: new URLSearchParams(fields), headers })
}

describe('rememberChoice', () => {
  it('stores an allowed choice and redirects to the given page', async () => {
    const answer = await rememberChoice(post({ to: 'ja', back: '/signin?r=abc' }), language)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/signin?r=abc')
    expect(answer.headers.get('set-cookie')).toBe(
      'postern_language=ja; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
    )
  })

  it('removes the parameter that would override the choice', async () => {
    const answer = await rememberChoice(post({ to: 'ja', back: '/signin?ui_locales=en+fr&r=abc' }), {
      ...language,
      overrides: 'ui_locales',
    })
    expect(answer.headers.get('location')).toBe('/signin?r=abc')
  })

  it('redirects to the referring page when no page is given', async () => {
    const referer = 'https://account.example/error?e=1'
    const answer = await rememberChoice(post({ to: 'en' }, { referer }), language)
    expect(answer.headers.get('location')).toBe('/error?e=1')
  })

  it('ignores an unknown choice and never redirects to another host', async () => {
    const answer = await rememberChoice(post({ to: 'ja; Domain=evil', back: '//evil.example/' }), language)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('location')).toBe('/')
  })

  it('redirects a malformed form to the home page', async () => {
    const request = new Request('https://account.example/theme', { method: 'POST', body: '{}' })
    expect((await rememberChoice(request, language)).headers.get('location')).toBe('/')
  })
})
