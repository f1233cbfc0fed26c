import { describe, expect, it } from 'vitest'
import { readConfig } from '#lib/server/settings/config'
import { locales, messagesFor } from '#lib/text/messages'
import { escapeHtml } from '#lib/text/text-rules'
import { faultPage } from './fault-page.ts'

const usual = {
  status: 500,
  requestId: '01J9-abc',
  locale: 'en',
  theme: 'system',
  config: readConfig({}),
  nonce: 'n0nce',
} as const

describe('faultPage', () => {
  it('describes the error in the requested language, with the request id', () => {
    const page = faultPage({ ...usual, locale: 'ja', theme: 'dark' })
    expect(page).toContain('<html lang="ja" data-theme="dark">')
    expect(page).toContain('ページを表示できませんでした')
    expect(page).toContain('01J9-abc')
  })

  it.each(locales)('has a text for every status in %s, without placeholders', (locale) => {
    const pages = [400, 404, 405, 413, 431, 500, 503].map((status) => faultPage({ ...usual, status, locale }))
    const titles = pages.map((page) => /<h1>(.+)<\/h1>/.exec(page)?.[1])
    expect(new Set(titles).size).toBe(7)
    for (const page of pages) expect(page.replace(/<style[\s\S]*<\/style>/, '')).not.toMatch(/[{}]/)
  })

  it.each(locales)('has a text for a full queue in %s', (locale) => {
    const busy = faultPage({ ...usual, status: 503, words: 'busy', locale })
    expect(/<h1>(.+)<\/h1>/.exec(busy)?.[1]).not.toBe(
      /<h1>(.+)<\/h1>/.exec(faultPage({ ...usual, status: 503, locale }))?.[1],
    )
    expect(busy).not.toContain('{service}')
  })

  it('uses the text of the class for an unlisted status', () => {
    expect(faultPage({ ...usual, status: 408 })).toContain('We couldn’t read this request')
    expect(faultPage({ ...usual, status: 502 })).toContain('We couldn’t show this page')
  })

  it.each(locales)('leads on to the home page where the text names no other way, in %s', (locale) => {
    const config = { ...readConfig({}), accountUrl: 'https://account.example' }
    const link = /<a href="https:\/\/account\.example\/">([^<]+)<\/a>/
    const linkOf = (status: number) => link.exec(faultPage({ ...usual, config, status, locale }))?.[1]
    for (const status of [400, 404, 405, 408, 500, 502])
      expect([status, linkOf(status)]).toEqual([status, messagesFor(locale).fault.home])
    for (const status of [431, 503]) expect(faultPage({ ...usual, config, status, locale })).not.toContain('<a ')
    expect(faultPage({ ...usual, config, status: 503, words: 'busy', locale })).not.toContain('<a ')
  })

  it.each(locales)('leads back to the page of a form that is too large, else to the home page, in %s', (locale) => {
    const { back, home } = messagesFor(locale).fault
    const tooLarge = { ...usual, status: 413, locale }
    const page = '/account/profile?a=1&b="'
    expect(faultPage({ ...tooLarge, back: page })).toContain(`<a href="${escapeHtml(page)}">${back}</a>`)
    expect(faultPage(tooLarge)).toContain(`<a href="${usual.config.accountUrl}/">${home}</a>`)
    expect(faultPage({ ...usual, locale, back: '/account' })).not.toContain(back)
  })

  it('escapes hostile values', () => {
    const evil = '"><script>alert(1)</script>'
    const page = faultPage({
      ...usual,
      requestId: evil,
      config: { ...readConfig({}), serviceName: evil },
      nonce: evil,
      status: 503,
    })
    expect(page).not.toContain('<script')
    expect(page).not.toContain(evil)
  })

  it('loads nothing: one style with a nonce, no script, no URL', () => {
    const page = faultPage(usual).replace(/<a href="[^"]*">/, '')
    expect(page.match(/<style nonce="n0nce">/g)).toHaveLength(1)
    expect(page).not.toMatch(/<script|https?:|url\(|style="/)
  })
})
