import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { nameCitiesFrom } from '#lib/account/activity/place'
import { writeMmdb } from '#lib/testing/places/write-mmdb'
import { groupSessions } from './group-sessions.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
const newer = firefox.replaceAll('144', '145')
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1'

const seen = (publicId: string, hour: number, device = firefox, address = '127.0.0.1') => {
  const at = new Date(Date.UTC(2026, 0, 1, hour))
  return { publicId, amr: ['pwd'], createdAt: at, lastSeenAt: at, address, device }
}
const idsOf = (...sessions: ReturnType<typeof seen>[]) =>
  groupSessions(sessions, 'own').map((group) => group.sessions.map(({ publicId }) => publicId))

it('puts this browser first and by itself, then the last used', () => {
  expect(idsOf(seen('a', 1), seen('own', 2), seen('b', 4, safari), seen('c', 3))).toEqual([['own'], ['b'], ['c', 'a']])
})

it('groups the cities of a country', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cities-'))
  const file = join(folder, 'cities.mmdb')
  const row = (city: string) => ({ city, country_code: 'NL' })
  writeMmdb(file, { '193.0.6.0/24': row('Amsterdam'), '193.0.7.0/24': row('Utrecht') }, new Date())
  nameCitiesFrom(file)
  onTestFinished(() => {
    nameCitiesFrom(undefined)
    rmSync(folder, { recursive: true })
  })
  expect(idsOf(seen('a', 1, firefox, '193.0.6.1'), seen('b', 2, firefox, '193.0.7.1'))).toEqual([['b', 'a']])
})

it('groups versions of a browser, but not other places or unknown devices', () => {
  expect(idsOf(seen('a', 1), seen('b', 2, newer))).toEqual([['b', 'a']])
  expect(idsOf(seen('a', 1), seen('b', 2, firefox, '10.0.0.1'))).toEqual([['b'], ['a']])
  expect(idsOf(seen('a', 1, 'curl/8'), seen('b', 2, ''), seen('c', 3, 'curl/8'))).toEqual([['c', 'a'], ['b']])
})

it('returns nothing for nothing', () => {
  expect(idsOf()).toEqual([])
})
