import type { Marks, Paragraph } from './reading.ts'

export const longestIntroduction = 2000

/** Whether a mail program wrote a paragraph before a quotation: it names the app, by its address or in a header block. */
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
 * Where in a paragraph an introduction begins that a mail program wrote right below the person's words, as Yahoo and Outlook do:
 * 0 for one that begins with the paragraph. It is a line with an address and a date, which may be wrapped, or the fields around
 * an address.
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
