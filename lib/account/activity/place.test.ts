import { expect, it } from 'vitest'
import { nameOfPlace, placeOf } from './describe-event.ts'

const words = { here: 'this computer', near: 'the same network' }
const nameOf = (address: string, locale = 'en') => nameOfPlace(placeOf(address), locale, words)

it.each([
  ['127.0.0.1', 'this computer'],
  ['::1', 'this computer'],
  ['10.1.2.3', 'the same network'],
  ['192.168.0.10', 'the same network'],
  ['fd00::1', 'the same network'],
  ['fe80::1', 'the same network'],
  ['8.8.8.8', 'United States'],
  ['2001:4860:4860::8888', 'United States'],
  ['193.0.6.139', 'Netherlands'],
])('locates %s in %s', (address, name) => {
  expect(nameOf(address)).toBe(name)
})

it('names a country in the language of the page', () => {
  expect(['en', 'ja', 'zh-CN', 'zh-TW'].map((locale) => nameOf('193.0.6.139', locale))).toEqual([
    'Netherlands',
    'オランダ',
    '荷兰',
    '荷蘭',
  ])
})

it.each(['', 'nonsense', '0.0.0.0', '240.0.0.1', '999.1.1.1'])('returns undefined for %j', (address) => {
  expect(nameOf(address)).toBeUndefined()
})
