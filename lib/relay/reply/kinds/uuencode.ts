/** A file that was encoded as lines of a text. */
export type WrittenFile = { name: string; bytes: Buffer }

/**
 * Returns a text without its uuencoded files (POSIX), and those files. A block without an end line stays in the text.
 */
export function readUuencoded(text: string): { text: string; files: WrittenFile[] } {
  const files: WrittenFile[] = []
  const pieces: string[] = []
  let from = 0
  for (const begin of text.matchAll(beginning)) {
    if (begin.index < from) continue
    const start = begin.index + begin[0].length
    const isBase64 = begin[1] !== undefined
    const end = endOf(text, start, isBase64 ? '====' : 'end')
    // No end line follows. Searching again from each later block would take quadratic time.
    if (!end) break
    const lines = text.slice(start, end.from).split(/\r?\n/)
    const bytes = isBase64 ? Buffer.from(lines.join(''), 'base64') : Buffer.concat(lines.map(decodeLine))
    files.push({ name: begin[2] as string, bytes })
    pieces.push(text.slice(from, begin.index), `[${begin[2]}]\r\n`)
    from = end.to
  }
  return { text: files.length > 0 ? pieces.join('') + text.slice(from) : text, files }
}

const beginning = /^begin(-base64)? [0-7]{3,4} ([^\r\n]{1,200})\r?\n(?=[!-`A-Za-z0-9+/])/gm

function endOf(text: string, start: number, word: string): { from: number; to: number } | undefined {
  const pattern = new RegExp(`^${word}[ \\t]*(?:\\r?\\n|$)`, 'gm')
  pattern.lastIndex = start
  const found = pattern.exec(text)
  return found ? { from: found.index, to: found.index + found[0].length } : undefined
}

/**
 * Decodes a line: the first character is the number of bytes, and each further character holds six bits. Trailing
 * spaces may be missing.
 */
function decodeLine(line: string): Buffer {
  if (line === '') return Buffer.alloc(0)
  const value = (at: number) => ((line.charCodeAt(at) || 32) - 32) & 63
  const length = value(0)
  const bytes = Buffer.alloc(Math.ceil(length / 3) * 3)
  for (let group = 0; group * 3 < length; group++) {
    const [a, b, c, d] = [1, 2, 3, 4].map((offset) => value(group * 4 + offset)) as [number, number, number, number]
    bytes.writeUIntBE((a << 18) | (b << 12) | (c << 6) | d, group * 3, 3)
  }
  return bytes.subarray(0, length)
}
