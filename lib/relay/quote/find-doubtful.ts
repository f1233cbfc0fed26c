import { beginOf, type Paragraph, type Place, type Reading, type Span, spansOf } from './reading.ts'

/**
 * The pieces of a reply's quotations that may name somebody and are not known to be the app's words: they are left out, whomever
 * they name. So a mail program that quotes in a way of its own, or a person who cuts into a quotation, tells the app nothing.
 */
export function findDoubtful({ quotations, asides, quoted }: Reading, own: Span[], length: number): Span[] {
  const isOwn = new Uint8Array(length)
  for (const [from, to] of own) isOwn.fill(1, from, to)
  const beside = asides
    .filter(({ at, text }) => (quoted[at] === 1 || quoted[at - 1] === 1) && !/^[<[(\s]*cid:/i.test(text))
    .flatMap(({ text, places }) => (namesIn(text).length === 0 ? [] : [places]))
  return [...quotations.flatMap(namesInParagraph), ...beside].flatMap((places) =>
    spansOf(places, (place) => isOwn[beginOf(place)] === 1),
  )
}

const namesInParagraph = ({ text, places }: Paragraph): Place[][] =>
  namesIn(text).map(([from, to]) => places.slice(from, to))

/** Where in a text words stand that could be an address, a digest or a code, in any spelling. */
function namesIn(text: string): Span[] {
  const words = [...text.matchAll(/[^\s<>"]+/g)].map((found) => ({ word: found[0], from: found.index }))
  return words.flatMap(({ word, from }, at): Span[] => {
    if (couldName(word)) return [[from, from + word.length]]
    if (!/^[[({]?(?:at|@)[\])}]?$/i.test(word)) return []
    // "user at domain.example", "user at domain dot example".
    const end = endOfSpelled(
      words.map((one) => one.word),
      at + 1,
    )
    const [first, last] = [words[at - 1] ?? { word, from }, words[end] ?? { word, from }]
    return end > at + 1 || /\.\w/.test(last.word) || word.length > 2 ? [[first.from, last.from + last.word.length]] : []
  })
}

function endOfSpelled(words: string[], start: number): number {
  let end = Math.min(start, words.length - 1)
  while (end + 2 < words.length && end - start < 12 && /^[[({]?(?:dot|\.)[\])}]?$/i.test(words[end + 1] as string))
    end += 2
  return end
}

function couldName(word: string): boolean {
  if (/[@\uff20\ufe6b]|%40|=40|\\u0040|\\100|[[({]at[\])}]/i.test(word)) return true
  // Two signs between letters: user_domain_example, user=domain.example.
  if ((word.match(/(?<=\p{L}|\p{N})[=_%#+.\-/]+(?=\p{L}|\p{N})/gu) ?? []).length >= 2) return true
  return (word.match(/[\w+/=-]{12,}/g) ?? []).some((run) => run.length >= 24 || (/\d/.test(run) && /[a-z]/i.test(run)))
}
