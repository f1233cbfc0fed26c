import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { writeMmdb } from '#lib/testing/places/write-mmdb'
import { nameCitiesFrom, nameOfPlace, placeOf, readPlaces } from './place.ts'

const words = { here: 'this computer', near: 'the same network', inCity: '{city}, {country}', approximate: '{place}' }
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

it('marks a country as an estimate, but not this computer and its network', () => {
  const marked = (address: string) =>
    nameOfPlace(placeOf(address), 'en', { ...words, approximate: '{place} (approximate)' })
  expect(['193.0.6.139', '127.0.0.1', '10.1.2.3'].map(marked)).toEqual([
    'Netherlands (approximate)',
    'this computer',
    'the same network',
  ])
})

it.each(['', 'nonsense', '0.0.0.0', '240.0.0.1', '999.1.1.1'])('returns undefined for %j', (address) => {
  expect(nameOf(address)).toBeUndefined()
})

describe('with a file of cities', () => {
  afterEach(() => {
    nameCitiesFrom(undefined)
  })
  const built = new Date('2026-11-01T00:00:00Z')
  const fileOf = (entries: Parameters<typeof writeMmdb>[1]) => {
    const folder = mkdtempSync(join(tmpdir(), 'cities-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'cities.mmdb')
    writeMmdb(file, entries, built)
    return file
  }
  const amsterdam = { names: { en: 'Amsterdam', ja: 'アムステルダム' } }

  it('names the city in the language of the page, else in English', () => {
    nameCitiesFrom(fileOf({ '193.0.6.0/24': { city: amsterdam, country: { iso_code: 'NL' } } }))
    expect(['en', 'ja', 'zh-CN'].map((locale) => nameOf('193.0.6.139', locale))).toEqual([
      'Amsterdam, Netherlands',
      'アムステルダム, オランダ',
      'Amsterdam, 荷兰',
    ])
  })

  it('reads files whose entries are flat', () => {
    nameCitiesFrom(fileOf({ '8.8.8.0/24': { city: 'Mountain View', country_code: 'US' } }))
    expect(nameOf('8.8.8.8')).toBe('Mountain View, United States')
  })

  it('names the country of the registries where the file has no entry, and never a city for this machine', () => {
    nameCitiesFrom(fileOf({ '127.0.0.0/8': { city: 'Utrecht', country_code: 'NL' } }))
    expect(['193.0.6.139', '2001:4860:4860::8888', '127.0.0.1'].map((address) => nameOf(address))).toEqual([
      'Netherlands',
      'United States',
      'this computer',
    ])
  })

  it('names no city of an IPv4 file for an IPv6 address with the same first bits', () => {
    nameCitiesFrom(fileOf({ '32.1.0.0/16': { city: 'Ashburn', country_code: 'DE' } }))
    expect(nameOf('2001:4860:4860::8888')).toBe('United States')
  })

  it.each([
    ['a country that is no code', { city: 'Utrecht', country_code: '<b>' }, 'Netherlands'],
    ['a city of the wrong type', { city: 7, country_code: 'NL' }, 'Netherlands'],
    ['a name of the wrong type', { city: { names: { en: { x: 1 } } }, country_code: 'BE' }, 'Belgium'],
    ['names of the wrong type', { city: { names: 'x' }, country_code: 'NL' }, 'Netherlands'],
    ['no city', { country_code: 'BE' }, 'Belgium'],
    ['an empty city', { city: '', country_code: 'BE' }, 'Belgium'],
    ['a city with a line break', { city: 'Utrecht\r\nBcc: x', country_code: 'BE' }, 'Belgium'],
    ['a city that overrides the direction of text', { city: 'a\u202eb', country_code: 'BE' }, 'Belgium'],
    ['a city longer than a line', { city: 'x'.repeat(81), country_code: 'BE' }, 'Belgium'],
    ['a quarter beside the city', { city: 'Ghent (Sint-Amandsberg)', country_code: 'BE' }, 'Ghent, Belgium'],
    ['placeholders in a city', { city: '{country} $&', country_code: 'BE' }, '{country} $&, Belgium'],
  ])('survives %s', (_, entry, name) => {
    nameCitiesFrom(fileOf({ '193.0.6.0/24': entry }))
    expect(nameOf('193.0.6.139')).toBe(name)
  })

  it('names the country where the file is damaged', () => {
    const file = fileOf({ '193.0.6.0/24': { city: amsterdam, country: { iso_code: 'NL' } } })
    const bytes = readFileSync(file)
    // The entries point nowhere; the description at the end is whole.
    bytes.fill(0xff, 0, 6 * 20)
    writeFileSync(file, bytes)
    nameCitiesFrom(file)
    expect(nameOf('193.0.6.139')).toBe('Netherlands')
  })

  const shortened = (bytes: number) => {
    const file = fileOf({ '193.0.6.0/24': { city: amsterdam, country: { iso_code: 'NL' } } })
    truncateSync(file, bytes)
    return file
  }

  it.each([
    ['missing', 'names a file that does not exist: /nowhere/cities.mmdb', () => '/nowhere/cities.mmdb'],
    ['a folder', 'is no file', () => tmpdir()],
    ['a device without an end', 'is no file: /dev/zero', () => '/dev/zero'],
    [
      'of another format',
      'names a file that is not in the format MMDB, or not whole: package.json',
      () => 'package.json',
    ],
    ['cut off', 'not whole', () => shortened(200)],
    ['empty', 'not whole', () => shortened(0)],
  ])('refuses a file that is %s', (_, reason, file) => {
    expect(() => readPlaces(file())).toThrow(reason)
  })

  it('refuses a pipe, which would never end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cities-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(() => readPlaces(pipe)).toThrow('is no file')
  })

  it('returns the type of the file and when it was built', () => {
    expect(readPlaces(fileOf({})).metadata).toMatchObject({ databaseType: 'Test-City', buildEpoch: built })
  })
})
