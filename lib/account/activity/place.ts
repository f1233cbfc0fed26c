import { existsSync, readFileSync, statSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { Reader } from 'mmdb-lib'
import { fillPlaceholders } from '#lib/text/messages'
import { makeIsAmong } from '#lib/text/network'

/** The place of a network address: this machine, the local network, or a country by its code, perhaps with a city. */
export type Place = 'here' | 'near' | { country: string; city?: Names }

/** The names of a city by language. */
type Names = Readonly<Partial<Record<string, string>>>

const isHere = makeIsAmong(['127.0.0.0/8', '::1'])
const isNear = makeIsAmong(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'])

/** Returns the place of an address; country and city are estimates. No service outside learns the address. */
export function placeOf(address: string): Place | undefined {
  if (isHere(address)) return 'here'
  if (isNear(address)) return 'near'
  return look(slot.__posternCities, address) ?? look(countries(), address)
}

export type PlaceWords = { here: string; near: string; inCity: string; approximate: string }

/** Returns the name of a place; a country, whose name comes from Intl, and a city are marked as estimates. */
export function nameOfPlace(place: Place | undefined, locale: string, words: PlaceWords): string | undefined {
  if (typeof place !== 'object') return place && words[place]
  const country = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }).of(place.country)
  const city = place.city?.[locale] ?? place.city?.en
  if (!country) return undefined
  const estimate = city ? fillPlaceholders(words.inCity, { country, city }) : country
  return fillPlaceholders(words.approximate, { place: estimate })
}

/** An entry of a file in the format MMDB, as the bundled file, MaxMind and DB-IP write it. */
type Entry = { city?: { names?: Names } | string; country?: { iso_code?: string }; country_code?: string }
/** The library types the entries of MaxMind alone. */
type File = { get(address: string): unknown; metadata: { databaseType: string; buildEpoch: Date; ipVersion: number } }

// Next bundles a copy of this module; the slot on globalThis gives both copies one file of cities.
const slot = globalThis as { __posternCities?: File | undefined }

/** Sets the operator's file of cities; undefined removes it. */
export function nameCitiesFrom(file: string | undefined): void {
  slot.__posternCities = file === undefined ? undefined : readPlaces(file)
}

/** Reads a file as a whole into memory; throws a sentence that follows the name of the setting. */
export function readPlaces(file: string): File {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Error(`names a file that does not exist: ${file}`)
  // A pipe or a device may never end.
  if (!found.isFile()) throw new Error(`is no file: ${file}`)
  const bytes = readFileSync(file)
  try {
    return new Reader(bytes)
  } catch {
    throw new Error(`names a file that is not in the format MMDB, or not whole: ${file}`)
  }
}

const bundled = join('@ip-location-db', 'geo-whois-asn-country-mmdb', 'geo-whois-asn-country.mmdb')
let registry: File | undefined

/** Opens the 8 MB file of the registries' countries at first use; returns undefined when it is not installed. */
function countries(): File | undefined {
  const file = join(process.cwd(), 'node_modules', bundled)
  if (!registry && existsSync(file)) registry = readPlaces(file)
  return registry
}

/** Looks an address up. Returns undefined for a damaged file, so that the page or letter is still sent. */
function look(file: File | undefined, address: string): Place | undefined {
  // The library would take the first bits of an IPv6 address for an IPv4 address.
  if (file?.metadata.ipVersion === 4 && isIPv6(address)) return undefined
  try {
    const entry = file?.get(address) as Entry | null | undefined
    const country = String(entry?.country?.iso_code ?? entry?.country_code)
    if (!/^[A-Z]{2}$/.test(country)) return undefined
    const city = namesOf(entry?.city)
    return city ? { country, city } : { country }
  } catch {
    return undefined
  }
}

const longestName = 80

/** Returns the names that fit a line of a page, without the quarter that DB-IP adds in brackets. */
function namesOf(city: Entry['city']): Names | undefined {
  const names = Object.entries(typeof city === 'string' ? { en: city } : (city?.names ?? {}))
  const fitting = names
    .filter(([, name]) => typeof name === 'string' && /^\P{C}+$/u.test(name) && name.length <= longestName)
    .map(([language, name]) => [language, name?.replace(/ \([^()]*\)$/, '')])
  return fitting.length > 0 ? Object.fromEntries(fitting) : undefined
}
