import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#lib/server/settings/config'
import { writeMmdb } from '#lib/testing/places/write-mmdb'
import { checkCities } from './check-cities.ts'

const now = new Date('2026-11-01T00:00:00Z')
const check = (CITIES_FILE?: string) => checkCities(readConfig({ CITIES_FILE }), now)

it('says where the names of places come from', () => {
  expect(check().message).toBe('are countries; CITIES_FILE adds cities.')
})

it('says the age of a file of cities, and warns of an old one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cities-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'cities.mmdb')
  writeMmdb(file, {}, new Date('2026-10-02T00:00:00Z'))
  expect(check(file)).toMatchObject({
    state: 'ok',
    message: `${file} (Test-City) names cities of IPv4 addresses alone and is 30 days old.`,
  })
  writeMmdb(file, {}, new Date('2025-10-02T00:00:00Z'))
  expect(check(file).state).toBe('warning')
  truncateSync(file)
  expect(check(file).state).toBe('wrong')
})

it('warns of a file without cities', () => {
  const countries = 'node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
  expect(check(countries)).toMatchObject({ state: 'warning', fix: 'Download a file of cities instead.' })
})

it('says that a file cannot be read', () => {
  expect(check('/nowhere')).toMatchObject({
    state: 'wrong',
    message: 'CITIES_FILE names a file that does not exist: /nowhere.',
  })
})
