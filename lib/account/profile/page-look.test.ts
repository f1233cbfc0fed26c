import { describe, expect, it } from 'vitest'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerLanguage, answerTheme, chooseTheme } from './page-look.ts'

describe.each(kinds)('the choice of language and appearance on %s', (kind) => {
  const postern = sharePostern({ kind })
  const setUp = async () => {
    const ada = await openAccount(postern)
    await postern.context.profiles.setPageLook(ada.personId, { pageLanguage: '', pageTheme: '' })
    const stored = async () => {
      const { pageLanguage, pageTheme } = await ada.stored()
      return [pageLanguage, pageTheme]
    }
    return { ...ada, looks: stored }
  }

  it('is stored in the browser and for the signed-in person, and leads back to the page', async () => {
    const { fill, looks } = await setUp()
    const answer = await fill(answerLanguage, { to: 'ja', back: '/signin?r=abc' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/signin?r=abc'])
    expect(answer.headers.get('set-cookie')).toBe(
      'postern_language=ja; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax',
    )
    await fill(answerTheme, { to: 'dark' })
    expect(await looks()).toEqual(['ja', 'dark'])
  })

  it('is stored in the browser alone without a session, and for a form of another site', async () => {
    const { fill, looks } = await setUp()
    const elsewhere = { cookie: '' }
    const forged = { 'sec-fetch-site': 'cross-site' }
    const unknown = { 'sec-fetch-site': '', origin: '' }
    for (const headers of [elsewhere, forged, unknown]) {
      const answer = await fill(answerTheme, { to: 'dark' }, headers)
      expect(answer.headers.get('set-cookie')).toContain('postern_theme=dark;')
    }
    expect(await looks()).toEqual(['', ''])
  })

  it('ends as one of eight concurrent choices', async () => {
    const { fill, looks } = await setUp()
    const wishes = ['en', 'ja', 'zh-CN', 'zh-TW', 'en', 'ja', 'zh-CN', 'zh-TW']
    const answers = await Promise.all(wishes.map((to) => fill(answerLanguage, { to })))
    expect(answers.map(({ status }) => status)).toEqual(wishes.map(() => 303))
    expect(wishes).toContain((await looks())[0])
  })

  it('accepts a language that a brand adds, and none that is not offered', async () => {
    const { fill, looks } = await setUp()
    const offering: typeof answerLanguage = (context, request) =>
      answerLanguage({ ...context, config: { ...context.config, languages: ['fr', 'ja'] } }, request)
    await fill(offering, { to: 'fr' })
    expect((await looks())[0]).toBe('fr')
    await fill(offering, { to: 'en' })
    expect((await looks())[0]).toBe('fr')
  })

  it.each([{}, { to: '' }, { to: 'ja; Domain=evil' }, { to: 'JA' }, { to: 'x'.repeat(5000) }])(
    'ignores %j and never redirects to another host',
    async (fields: Record<string, string>) => {
      const { fill, looks } = await setUp()
      const answer = await fill(answerLanguage, { ...fields, back: '//evil.example/' })
      expect([answer.headers.get('set-cookie'), answer.headers.get('location')]).toEqual([null, '/'])
      expect(await looks()).toEqual(['', ''])
    },
  )

  it('removes the parameter that would override the choice, and falls back to the referring page', async () => {
    const { fill, post } = await setUp()
    const back = '/signin?ui_locales=en+fr&r=abc'
    expect((await fill(answerLanguage, { to: 'ja', back })).headers.get('location')).toBe('/signin?r=abc')
    const referer = 'https://account.example/error?e=1'
    expect((await fill(answerTheme, { to: 'dark' }, { referer })).headers.get('location')).toBe('/error?e=1')
    expect((await post(answerTheme, '{}')).headers.get('location')).toBe('/')
  })
})

it('takes the first known appearance', () => {
  expect(chooseTheme('', 'dark')).toBe('dark')
  expect(chooseTheme('light', 'dark')).toBe('light')
  expect(chooseTheme('purple', undefined)).toBe('system')
})
