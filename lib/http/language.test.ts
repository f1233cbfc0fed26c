import { expect, it } from 'vitest'
import { readConfig } from '#lib/server/settings/config'
import { pageLanguage } from './language.ts'

const ask = (settings: Record<string, string>, headers: Record<string, string>, wished = '') =>
  pageLanguage({ config: readConfig(settings) }, new Request('http://localhost:3001/', { headers }), wished)

it('takes the wish of the app, then the choice in the footer, then the wishes of the browser', () => {
  const headers = { cookie: 'postern_language=ja', 'accept-language': 'zh-TW' }
  expect(ask({}, headers, 'zh-CN')).toBe('zh-CN')
  expect(ask({}, headers)).toBe('ja')
  expect(ask({}, { 'accept-language': 'de, zh-HK' })).toBe('zh-TW')
})

it('returns a language of LANGUAGES only, and DEFAULT_LANGUAGE without a wish that is among them', () => {
  const settings = { LANGUAGES: 'zh-TW,ja', DEFAULT_LANGUAGE: 'ja' }
  expect(ask(settings, { 'accept-language': 'en' })).toBe('ja')
  expect(ask(settings, { 'accept-language': 'en, zh-Hant' })).toBe('zh-TW')
  expect(ask(settings, {}, 'zh-CN en')).toBe('ja')
  expect(ask({ DEFAULT_LANGUAGE: 'zh-CN' }, {})).toBe('zh-CN')
})

it('is one of ours where the brand adds the usual language', () => {
  const settings = { BRAND_DIR: 'deploy/brand', LANGUAGES: 'fr,ja', DEFAULT_LANGUAGE: 'fr' }
  expect(ask(settings, { 'accept-language': 'fr' })).toBe('ja')
  expect(ask({ ...settings, LANGUAGES: 'fr' }, { 'accept-language': 'ja' })).toBe('en')
})
