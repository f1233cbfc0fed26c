import type { NameWatch } from '#lib/relay/quote/name-watch'
import { makeRoom, type Room } from '#lib/relay/reply/leak-gate/packed/inflate'
import { digestsOf } from './hide-addresses.ts'
import { type HomePath, homePathsOf } from './home-paths.ts'
import { namesOf } from './inbox-names.ts'
import { type Spelling, spellingsOf } from './spellings.ts'

/** The addresses that the leak gate searches one message for, and its budget. */
export type Wanted = {
  /** Every name of the inboxes in plain letters. */
  plain: { local: string; domain: string; address: string }[]
  spellings: Spelling[]
  homePaths: HomePath[]
  digests: string[]
  isInternational: boolean
  /** The texts of a sheet's cells: a formula (`A1&"@"&B1`) can join cells that do not show the address. */
  cells: { areJoined: boolean; words: Set<string> }
  /** Looks for the names that the app sent, which count as the person's. */
  names: NameWatch | undefined
  room: Room
}

export function makeWanted(addresses: string[], names?: NameWatch): Wanted {
  const inboxes = addresses.map(namesOf)
  const pairs = inboxes.flatMap(({ locals, domains }) =>
    locals.flatMap((local) => domains.map((domain) => ({ local, domain, address: `${local}@${domain}` }))),
  )
  const asGiven = addresses.map((one) => one.toLowerCase()).map((address) => splitAddress(address))
  return {
    plain: [...asGiven, ...pairs],
    spellings: spellingsOf(addresses),
    homePaths: homePathsOf(addresses),
    digests: addresses.flatMap(digestsOf),
    isInternational: /[^\0-\x7f]|xn--/i.test(addresses.join()),
    cells: { areJoined: false, words: new Set() },
    names,
    room: makeRoom(),
  }
}

function splitAddress(address: string): Wanted['plain'][number] {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, at), domain: address.slice(at + 1), address }
}
