import type { Marks, Paragraph } from './reading.ts'

export const longestIntroduction = 2000

/**
 * Returns whether a mail program wrote this paragraph to introduce a quotation: it is an attribution line with one of
 * the addresses, or a header block with one of the addresses or with the app's name or subject.
 */
export function introduces(paragraph: Paragraph, { addresses, isOfApp }: Marks): boolean {
  const { text } = paragraph
  if (text.length > longestIntroduction) return false
  const isHeaderBlock = text.split('\n').filter((line) => isField(line)).length >= 3
  const plain = text.toLowerCase()
  if (addresses.some((address) => plain.includes(address))) return isHeaderBlock || /[:\uff1a]\s*$/.test(text)
  return isHeaderBlock && isOfApp?.(paragraph) === true
}

const isField = (line: string): boolean => /^[\s*_]*[^:\uff1a]{1,40}[:\uff1a]/.test(line)

/**
 * Returns the index at which an introduction begins in a paragraph, because Yahoo and Outlook write it directly below
 * the person's text; 0 if none begins inside the paragraph. An introduction is a line, possibly wrapped, with an
 * address and a date, or the header fields around an address.
 */
export function introductionAt(text: string, { addresses }: Marks): number {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => addresses.some((address) => line.toLowerCase().includes(address)))
  if (at <= 0) return 0
  const first =
    lines.slice(at).filter((line) => isField(line)).length >= 3
      ? firstField(lines, at)
      : firstDated(lines, at, addresses)
  return lines.slice(0, first).join('\n').length + (first > 0 ? 1 : 0)
}

function firstField(lines: string[], at: number): number {
  let first = at
  while (first > 0 && isField(lines[first - 1] as string)) first--
  return first > 0 && isRule.test(lines[first - 1] as string) ? first - 1 : first
}

const isRule = /^\s*[-_]{5,}/

function firstDated(lines: string[], at: number, addresses: string[]): number {
  const isDated = (line: string) =>
    /\d/.test(addresses.reduce((rest, address) => rest.replaceAll(address, ''), line.toLowerCase()))
  for (let first = at; first >= Math.max(0, at - 2); first--) if (isDated(lines[first] as string)) return first
  return at
}
