import type { Span } from '#lib/relay/quote/reading/reading'

/** A text in which placeholders replace some pieces, and the function that puts the pieces back. */
export type SetAside = { rest: string; putBack(text: string): string }

/**
 * Replaces the pieces at `spans` by placeholders, so that changes to the rest do not affect them. `removed` pieces
 * are deleted, `redacted` ones become an ellipsis, and `replaced` ones become the given text. A placeholder consists
 * of private-use characters, which are neither letters nor digits; such characters in the text itself become U+FFFD.
 */
export function setAside(
  text: string,
  spans: Span[],
  { removed = [], redacted = [], replaced = [] }: Gone = {},
): SetAside {
  const pieces: string[] = []
  const kept: string[] = []
  let at = 0
  const inOrder = [
    ...removed.map((span) => ({ span, by: '' })),
    ...redacted.map((span) => ({ span, by: '\u2026' })),
    ...replaced,
    ...spans.map((span) => ({ span, by: undefined })),
  ]
  for (const { span, by } of inOrder.toSorted((a, b) => a.span[0] - b.span[0] || b.span[1] - a.span[1])) {
    const [from, to] = [Math.max(span[0], at), span[1]]
    if (from >= to) continue
    kept.push(withoutMarks(text.slice(at, from)), by ?? markOf(pieces.push(text.slice(from, to)) - 1))
    at = to
  }
  kept.push(withoutMarks(text.slice(at)))
  return {
    rest: kept.join(''),
    putBack: (changed) => changed.replace(mark, (_, digits: string) => pieces[numberOf(digits)] ?? ''),
  }
}

type Gone = { removed?: Span[]; redacted?: Span[]; replaced?: { span: Span; by: string }[] }

const opening = 0xe000
const markOf = (index: number): string =>
  String.fromCharCode(opening, ...Array.from(String(index), (digit) => opening + 1 + Number(digit)), opening + 11)
const numberOf = (digits: string): number =>
  Number(Array.from(digits, (digit) => digit.charCodeAt(0) - opening - 1).join(''))
const mark = /\ue000([\ue001-\ue00a]+)\ue00b/g
const withoutMarks = (text: string): string => text.replace(/[\ue000-\ue00b]/g, '\ufffd')
