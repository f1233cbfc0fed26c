import type { OwnAlias } from './store.ts'

/** From this many relay addresses on, the list has a search (issue "A product people enjoy", item 15). */
export const searchFrom = 10

/** The greatest length of a search. */
export const searchLimit = 100

/** Returns the search of a query; a repeated parameter counts once, and a long one is cut. */
export const readSearch = (given: string | string[] | undefined): string =>
  ([given].flat()[0] ?? '').toWellFormed().trim().slice(0, searchLimit)

/** Returns the relay addresses whose label, note, app, team or address contains the text. */
export function searchAliases<Alias extends OwnAlias>(
  aliases: Alias[],
  search: string,
  addressOf: (name: string) => string,
): Alias[] {
  const wanted = fold(search)
  return aliases.filter(({ name, app, label, note }) =>
    [label, note, app?.name, app?.team, addressOf(name)].some(
      (text) => text !== undefined && fold(text).includes(wanted),
    ),
  )
}

/** Full-width letters and differences of case do not matter. */
const fold = (text: string) => text.normalize('NFKC').toLowerCase()
