import { describe, expect, it } from 'vitest'
import { acceptedLanguages, chooseLocale, requestedLanguages } from './messages.ts'

describe('chooseLocale', () => {
  it.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['ja', 'ja'],
    ['ja-JP', 'ja'],
    ['JA-jp', 'ja'],
    ['zh', 'zh-CN'],
    ['zh-CN', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-Hans', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh_CN', 'zh-CN'],
    ['zh-TW', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-MO', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-CN', 'zh-TW'],
  ])('chooses for %s the locale %s', (wish, locale) => {
    expect(chooseLocale(wish)).toBe(locale)
  })

  it('chooses the first supported wish', () => {
    expect(chooseLocale('fr', undefined, null, '', 'zh-HK', 'ja')).toBe('zh-TW')
  })

  it('falls back to English', () => {
    expect(chooseLocale()).toBe('en')
    expect(chooseLocale('fr', 'x', '../../etc/passwd', 'jam', 'english')).toBe('en')
  })
})

describe('requestedLanguages', () => {
  it.each([
    ['ja zh_TW', ['ja', 'zh-TW']],
    ['日本語 ja', ['ja']],
    ['en\r\nx: y', ['y']],
    ['x'.repeat(300), []],
    [null, []],
  ])('reads only the tags of %j', (text, tags) => {
    expect(requestedLanguages(text)).toEqual(tags)
  })
})

describe('acceptedLanguages', () => {
  it('lists the most preferred language first', () => {
    expect(acceptedLanguages('en;q=0.5, ja-JP, zh-TW;q=0.8')).toEqual(['ja-JP', 'zh-TW', 'en'])
  })

  it('omits rejected and invalid entries', () => {
    expect(acceptedLanguages('en;q=0, ja;q=x, ,zh;q=0.1')).toEqual(['zh'])
  })

  it('returns nothing for an absent header', () => {
    expect(acceptedLanguages(null)).toEqual([])
  })
})
