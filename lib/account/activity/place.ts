import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { makeIsAmong } from '#lib/text/network'

/** The place of a network address: this machine, the local network, or a country by its code. */
export type Place = 'here' | 'near' | { country: string }

const isHere = makeIsAmong(['127.0.0.0/8', '::1'])
const isNear = makeIsAmong(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'])

/** The country of each network according to the registries, in a local file: no service learns the addresses. */
const table = join('@ip-location-db', 'geo-whois-asn-country-mmdb', 'geo-whois-asn-country.mmdb')
let reader: Reader<CountryRow> | undefined
type CountryRow = CountryResponse & { country_code: string }

/** Returns the place of an address; the country is a likely one, no proof. */
export function placeOf(address: string): Place | undefined {
  if (isHere(address)) return 'here'
  if (isNear(address)) return 'near'
  const country = registry()?.get(address)?.country_code
  return country ? { country } : undefined
}

/** Reads the file of eight megabytes at first use; undefined when it is not installed. */
function registry(): Reader<CountryRow> | undefined {
  try {
    reader ??= new Reader(readFileSync(join(process.cwd(), 'node_modules', table)))
  } catch (fault) {
    if ((fault as { code?: string }).code !== 'ENOENT') throw fault
  }
  return reader
}

export type PlaceWords = { here: string; near: string }

/** Returns the name of a place; names of countries come from Intl. */
export function nameOfPlace(place: Place | undefined, locale: string, words: PlaceWords): string | undefined {
  if (typeof place !== 'object') return place && words[place]
  return new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }).of(place.country)
}
