import { describe, expect, it } from 'vitest'
import { rememberChoice } from './remember-choice.ts'

const language = { cookie: 'postern_language', allowed: ['en', 'ja'], secure: true }

function post(fields: Record<string, string>, headers: Record<string, string> = {}): Request {
  return new Request('https://account.example/language', { method: 'POST', body: new URLSearchParams(fields), headers })
}

describe('rememberChoice', () => {
  it('keeps an allowed choice and goes back to the page named', async () => {
    const answer = await rememberChoice(post({ to: 'ja', back: '/signin?r=abc' }), language)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/signin?r=abc')
    expect(answer.headers.get('set-cookie')).toBe(
      'postern_language=ja; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
    )
  })

  it('outweighs what the app asked for in the address', async () => {
    const answer = await rememberChoice(post({ to: 'ja', back: '/signin?ui_locales=en+fr&r=abc' }), {
      ...language,
      overrides: 'ui_locales',
    })
    expect(answer.headers.get('location')).toBe('/signin?r=abc')
  })

  it('goes back to the referring page when none is named', async () => {
    const referer = 'https://account.example/error?e=1'
    const answer = await rememberChoice(post({ to: 'en' }, { referer }), language)
    expect(answer.headers.get('location')).toBe('/error?e=1')
  })

  it('keeps nothing it does not know and never leaves the host', async () => {
    const answer = await rememberChoice(post({ to: 'ja; Domain=evil', back: '//evil.example/' }), language)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('location')).toBe('/')
  })

  it('answers a body that is no form by going home', async () => {
    const request = new Request('https://account.example/theme', { method: 'POST', body: '{}' })
    expect((await rememberChoice(request, language)).headers.get('location')).toBe('/')
  })
})
