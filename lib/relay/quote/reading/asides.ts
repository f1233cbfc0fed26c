import { lettersOf } from './letters.ts'
import type { Aside, Place } from './reading.ts'

/** An aside, and which characters of its paragraph it takes; none for an attribute. */
export type PlacedAside = { start: number; stop: number; aside: Aside }

/**
 * Links, and what stands in brackets: a program that makes plain text of a page writes the address of a link and the name of
 * a picture so. The numbers of a list and its bullets are asides too, because they are not in the page.
 */
export const findAsides = (text: string, places: Place[]): PlacedAside[] =>
  [...text.matchAll(pattern)].map((found) => {
    const [start, stop] = [found.index, found.index + found[0].length]
    return { start, stop, aside: makeAside(found[0], places.slice(start, stop)) }
  })

const pattern =
  /(?:https?:\/\/|\bwww\.)[^\s<>"[\]()]+|\bmailto:[^\s<>"[\]()]*|\[[^[\]]{0,1000}\]|<[^<>]{0,1000}>|(?<!\S)(?:\(?\d{1,3}[.)]|o)(?!\S)/giu

export const makeAside = (text: string, places: Place[]): Aside => ({
  at: 0,
  value: asideValue(text),
  text,
  places,
  isQuoted: false,
  isLink: /^[<[(\s]*(?:https?:|www\.)/i.test(text),
})

/** The letters of an address or a name, without the scheme that one program writes and another does not. */
export const asideValue = (text: string): string =>
  lettersOf(unpercent(text.replace(/^[<[(\s]*(?:(?:mailto|https?):(?:\/\/)?)?(?:www\.)?/i, '')))

const unpercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'))
