import { randomBytes } from 'node:crypto'
import { chooseTheme, type Theme } from '#lib/account/profile/page-look'
import { chooseLanguage, languageNames, textsOf } from '#lib/brand/brand-texts'
import { readCookie } from '#lib/http/cookies'
import type { Config } from '#lib/server/settings/config'
import { acceptedLanguages, requestedLanguages } from '#lib/text/messages'
import { escapeHtml } from '#lib/text/text-rules'
import { plainPage, plainPolicy } from './plain-page.ts'

/**
 * GET / on the issuer: says what the address is for, and links people to their account and developers to the
 * documentation.
 */
export function issuerHome(config: Config, request: Request): Response {
  const nonce = randomBytes(16).toString('base64url')
  const wished = requestedLanguages(new URL(request.url).searchParams.get('ui_locales'))
  const locale = chooseLanguage(config, ...wished, ...acceptedLanguages(request.headers.get('accept-language')))
  const theme = chooseTheme(readCookie(request.headers.get('cookie'), 'postern_theme'), config.defaultTheme)
  return new Response(render(config, { locale, theme, nonce }), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': locale,
      'content-security-policy': plainPolicy(nonce),
      'cache-control': 'no-store',
      vary: 'Accept-Language',
    },
  })
}

function render(config: Config, { locale, theme, nonce }: { locale: string; theme: Theme; nonce: string }): string {
  const { issuer, accountUrl, docsUrl, serviceName, brand } = config
  const { issuerHome: texts } = textsOf(brand, locale)
  const fill = (text: string) => text.replaceAll('{service}', serviceName)
  const documents = [
    link(`${issuer}/.well-known/openid-configuration`, texts.discovery),
    ...(docsUrl ? [link(docsUrl, texts.docs)] : []),
  ]
  const main = `<h1>${escapeHtml(fill(texts.title))}</h1>
<p>${escapeHtml(fill(texts.what))}</p>
<p>${link(`${accountUrl}/account`, texts.account)}</p>
<h2>${escapeHtml(texts.developers)}</h2>
<ul>${documents.map((one) => `<li>${one}</li>`).join('')}</ul>`
  const others = languageNames(config).filter(([tag]) => tag !== locale)
  const footer = `<nav aria-label="${escapeHtml(texts.language)}">${others.map(inLanguage).join(' ')}</nav>\n`
  return plainPage({ title: fill(texts.title), main, footer, locale, theme, serviceName, brand, nonce })
}

const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`

const inLanguage = ([tag, name]: [tag: string, name: string]) =>
  `<a href="/?ui_locales=${tag}" lang="${tag}" hreflang="${tag}">${escapeHtml(name)}</a>`
