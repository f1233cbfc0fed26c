import type { OwnAlias } from './store.ts'

/** From this number of addresses on, the page has a search. */
export const searchedFrom = 10

/** Returns the addresses whose app, team, label, note or name has every word of the search. */
export function findAliases<Alias extends OwnAlias>(aliases: Alias[], search: string): Alias[] {
  const words = fold(search).split(/\s+/).filter(Boolean)
  return aliases.filter(({ name, app, label, note }) => {
    const text = fold([name, app?.name, app?.team, label, note].join('\n'))
    return words.every((word) => text.includes(word))
  })
}

const fold = (text: string) => text.slice(0, 2000).normalize('NFKC').toLowerCase()
