import { describe, expect, it } from 'vitest'
import { cookieName, cookieNames } from '#lib/http/cookies'
import { readConfig } from '#lib/server/settings/config'
import { readStranger } from './read-stranger.ts'

const id = 'a'.repeat(43)

describe.each(['http://localhost:3001', 'https://account.example.org'])('at %s', (accountUrl) => {
  const site = { config: { ...readConfig({}), accountUrl } }
  const read = (cookies?: string) => readStranger(site, cookies)

  it('reads the id, the theme and the language of a visitor who is not signed in', () => {
    expect(read()).toEqual({ id: undefined, look: '', remembers: false })
    const all = `postern_theme=dark; _ga=1; ${cookieName(site, 'browser')}=${id}; postern_zone=Asia/Tokyo;postern_language=ja`
    expect(read(all)).toEqual({ id, look: 'postern_language=ja; postern_theme=dark', remembers: false })
  })

  it('reads whether the browser remembers people, and ignores that it refused the offer of a passkey', () => {
    const known = `${cookieName(site, 'browser')}=${id}; ${cookieName(site, 'known')}=sealed`
    for (const cookies of [known, `${known}; ${cookieName(site, 'offer')}=sealed`])
      expect(read(cookies)).toEqual({ id, look: '', remembers: true })
  })

  it.each(cookieNames.filter((name) => !['browser', 'known', 'offer'].includes(name)))(
    'knows no stranger with the cookie %s',
    (name) => {
      for (const cookie of [`${cookieName(site, name)}=${id}`, cookieName(site, name), `__Host-postern-${name}=`])
        for (const cookies of [cookie, `a=b;${cookie}`, `${cookieName(site, 'browser')}=${id}; ${cookie}`])
          expect([cookies, read(cookies)]).toEqual([cookies, undefined])
    },
  )
})

it('does not take the id of a browser at http for one at https', () => {
  const config = { ...readConfig({}), accountUrl: 'https://account.example.org' }
  expect(readStranger({ config }, `postern-browser=${id}`)).toBe(undefined)
})
