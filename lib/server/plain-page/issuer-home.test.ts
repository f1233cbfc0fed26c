import { expect, it } from 'vitest'
import { readConfig } from '#lib/server/settings/config'
import { locales, messagesFor } from '#lib/text/messages'
import { issuerHome } from './issuer-home.ts'

const config = readConfig({ SERVICE_NAME: 'A & <b>B</b>', DOCS_URL: 'https://docs.example/?a="b"&c' })
const get = async (path = '/', headers: Record<string, string> = {}, settings = config) => {
  const response = issuerHome(settings, new Request(`http://localhost:3000${path}`, { headers }))
  return { response, html: await response.text() }
}

it.each(locales)('is written in %s for a browser that asks for it, and offers the other languages', async (locale) => {
  const { html, response } = await get('/', { 'accept-language': locale })
  expect(html).toContain(`<html lang="${locale}" `)
  expect(html).toContain(messagesFor(locale).issuerHome.title)
  for (const other of locales) expect(html.includes(`href="/?ui_locales=${other}"`)).toBe(other !== locale)
  expect(response.headers.get('content-language')).toBe(locale)
  expect((await get(`/?ui_locales=${locale}`, { 'accept-language': 'en' })).html).toContain(`<html lang="${locale}" `)
})

it('has a face and a direction in a language that a brand adds', async () => {
  const brand = { ...config.brand, texts: new Map([['ar', messagesFor('en')]]) }
  const { html } = await get('/', { 'accept-language': 'ar' }, { ...config, brand, languages: ['en', 'ar'] })
  expect(html).toContain('<html lang="ar" dir="rtl" data-theme="system">')
  // Without the second value, the whole declaration would be void.
  expect(html).not.toMatch(/--cjk:|var\(--cjk\)/)
  expect(html).toContain('var(--cjk,"Liberation Sans"),sans-serif')
})

it('has the typeface and the corners of a brand', async () => {
  const { html } = await get('/', {}, readConfig({ BRAND_DIR: 'deploy/brand' }))
  expect(html).toContain('--corner-l:0.375rem;--latin:"Source Sans 3","Segoe UI","Roboto","Arial"}')
  expect((await get()).html).not.toMatch(/--latin:|--corner-l:/)
})

it.each([
  ['system', {}, {}],
  ['dark', { DEFAULT_THEME: 'dark' }, {}],
  ['light', { DEFAULT_THEME: 'light' }, { cookie: 'other=dark; postern_theme=purple' }],
  ['light', { DEFAULT_THEME: 'dark' }, { cookie: 'other=1; postern_theme=light' }],
])('is %s with the settings %o and the headers %o', async (theme, settings, headers) => {
  const { html } = await get('/', headers, readConfig(settings))
  expect(html).toContain(`<html lang="en" data-theme="${theme}">`)
  expect(html).toContain(`<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">`)
})

it('has both colours of a brand', async () => {
  const { html } = await get('/', {}, readConfig({ BRAND_DIR: 'deploy/brand' }))
  expect(html).toMatch(/--ground:light-dark\(#\w+,#\w+\)/)
})

it('links to discovery, documents and the account', async () => {
  const { html } = await get()
  expect(html).toContain('href="http://localhost:3000/.well-known/openid-configuration"')
  expect(html).toContain('href="http://localhost:3001/account"')
  expect(html).toContain('href="https://docs.example/?a=&#34;b&#34;&#38;c"')
  expect((await get('/', {}, readConfig({}))).html).not.toContain(messagesFor('en').issuerHome.docs)
})

it('has no script and no cookie, escapes settings, and lets only its own style through', async () => {
  const { html, response } = await get('/?ui_locales=<script>alert(1)</script>')
  expect(html).not.toMatch(/<script|<b>|\{service\}/)
  expect(html).toContain('A &#38; &#60;b&#62;B&#60;/b&#62;')
  expect(response.headers.has('set-cookie')).toBe(false)
  const policy = response.headers.get('content-security-policy') ?? ''
  const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1]
  expect(policy).toContain("default-src 'none'")
  expect(html).toContain(`<style nonce="${nonce}">`)
  expect(nonce).not.toBe(/nonce="([\w-]+)"/.exec((await get()).html)?.[1])
})
