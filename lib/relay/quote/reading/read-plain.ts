import { Reader } from './reader.ts'
import type { Marks, Reading } from './reading.ts'

/** Reads a plain text. The number of `>` or `name>` prefixes of a line is its quotation level. */
export function readPlain(text: string, marks: Marks): Reading {
  const reader = new Reader(marks)
  const lines = linesOf(text)
  for (const [at, line] of lines.entries()) {
    reader.setDepth(depthAt(lines, at))
    if (text.slice(line.from, line.to).trim() === '') reader.endParagraph()
    else readLine(text, line, reader)
  }
  return reader.finish()
}

type Line = { from: number; to: number; depth: number; isBlank: boolean }

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start)
    const to = end === -1 ? text.length : end
    const [prefix = ''] = /^(?:[ \t]{0,2}\w{0,10}>)+/.exec(text.slice(start, Math.min(to, start + longestPrefix))) ?? []
    const from = start + prefix.length
    lines.push({ from, to, depth: prefix.replace(/[^>]/g, '').length, isBlank: text.slice(start, to).trim() === '' })
    start = to + 1
  }
  return lines
}

const longestPrefix = 200

/** A wrapped line without a `>` between two quoted lines belongs to the quotation. */
function depthAt(lines: Line[], at: number): number {
  const { depth, isBlank } = lines[at] as Line
  const [before, after] = [lines[at - 1]?.depth ?? 0, lines[at + 1]?.depth ?? 0]
  return depth === 0 && !isBlank && before > 0 && after > 0 ? before : depth
}

function readLine(text: string, { from, to }: Line, reader: Reader): void {
  for (let at = from; at < to; ) {
    const character = String.fromCodePoint(text.codePointAt(at) as number)
    reader.addCharacter(character, at, at + character.length)
    at += character.length
  }
  reader.addCharacter('\n', to, Math.min(to + 1, text.length))
}
