import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { makeIsAmong } from '#lib/text/network'

/** Where an address of the network is: on this machine, in the same network, or in a country, by its code. */
export type Place = 'here' | 'near' | { country: string }

const isHere = makeIsAmong(['127.0.0.0/8', '::1'])
const isNear = makeIsAmong(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'])

/** Whom the registries have given each network to, in one file; nobody is asked, so nobody learns of our visitors. */
const table = join('@ip-location-db', 'geo-whois-asn-country-mmdb', 'geo-whois-asn-country.mmdb')
let reader: Reader<CountryRow> | undefined
type CountryRow = CountryResponse & { country_code: string }

/** What an address tells by itself; a country is right more often than not, and no proof of anything. */
export function placeOf(address: string): Place | undefined {
  if (isHere(address)) return 'here'
  if (isNear(address)) return 'near'
  const country = registry()?.get(address)?.country_code
  return country ? { country } : undefined
}

/** Eight megabytes, read when somebody first looks; without them nobody knows. */
function registry(): Reader<CountryRow> | undefined {
  try {
    reader ??= new Reader(readFileSync(join(process.cwd(), 'node_modules', table)))
  } catch (fault) {
    if ((fault as { code?: string }).code !== 'ENOENT') throw fault
  }
  return reader
}

export type PlaceWords = { here: string; near: string }

/** A place in words; the names of countries come with the engine. */
export function nameOfPlace(place: Place | undefined, locale: string, words: PlaceWords): string | undefined {
  if (typeof place !== 'object') return place && words[place]
  return new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }).of(place.country)
}
