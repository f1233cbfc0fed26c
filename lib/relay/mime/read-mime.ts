import {
  endOfHead,
  fieldValue,
  type HeaderField,
  type Parameterized,
  readFields,
  readParameters,
} from './header-fields.ts'

/** A body part (RFC 2045, 2046): its header fields, their parsed values, and its raw body. */
export type MimePart = {
  fields: HeaderField[]
  contentType: Parameterized
  disposition: Parameterized
  encoding: string
  body: Buffer
  /** The parts of a multipart; empty for everything else, including attached messages. */
  parts: MimePart[]
}

/**
 * Parses a message into a tree; undefined when two parsers could see different trees, or when it is too large.
 * `isLenient` is for messages that are rewritten from the tree: ignores the encoding of a multipart, and reads a
 * multipart without parts as text.
 */
export function readMime(message: Buffer, { isLenient = false } = {}): MimePart | undefined {
  try {
    return readPart(message, 'text/plain', { depth: 0, count: { parts: 0 }, isLenient })
  } catch (fault) {
    if (fault instanceof Unreadable) return undefined
    throw fault
  }
}

/** Returns a part and all parts inside it, outer before inner. */
export const allParts = (part: MimePart): MimePart[] => [part, ...part.parts.flatMap(allParts)]

/** Returns the value of the first field of this name, its bytes as latin1. */
export function findValue(fields: HeaderField[], name: string): string | undefined {
  const found = fields.find((field) => field.name === name)
  return found && fieldValue(found)
}

const deepest = 16
const mostParts = 500

class Unreadable extends Error {}

type Place = { depth: number; count: { parts: number }; isLenient: boolean }

function readPart(bytes: Buffer, defaultType: string, { depth, count, isLenient }: Place): MimePart {
  if (depth > deepest || ++count.parts > mostParts) throw new Unreadable()
  // A part may have header fields only.
  const bodyAt = endOfHead(bytes) ?? bytes.length
  const fields = readFields(bytes.subarray(0, bodyAt))
  const contentType = readParameters(findValue(fields, 'content-type') ?? defaultType)
  // RFC 2045 §5.2: an invalid type means plain text.
  if (!/^[!-~]+\/[!-~]+$/.test(contentType.first)) contentType.first = 'text/plain'
  const part = {
    fields,
    contentType,
    disposition: readParameters(findValue(fields, 'content-disposition') ?? ''),
    encoding: readParameters(findValue(fields, 'content-transfer-encoding') || '7bit').first,
    body: bytes.subarray(bodyAt),
  }
  if (!contentType.first.startsWith('multipart/')) return { ...part, parts: [] }
  // RFC 2045 §6.4 forbids other encodings: some parsers would decode the multipart and see other parts.
  if (!isLenient && !['7bit', '8bit', 'binary'].includes(part.encoding)) throw new Unreadable()
  const inner = contentType.first === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  const parts = split(part.body, contentType.parameters.get('boundary') ?? '')
  if (parts.length === 0 && !isLenient) throw new Unreadable()
  if (parts.length === 0) return { ...part, contentType: { ...contentType, first: 'text/plain' }, parts: [] }
  return { ...part, parts: parts.map((one) => readPart(one, inner, { depth: depth + 1, count, isLenient })) }
}

/** Returns the bodies between the delimiter lines (RFC 2046 §5.1.1); the closing delimiter may be missing. */
function split(body: Buffer, boundary: string): Buffer[] {
  if (!/^[ -~]{1,200}$/.test(boundary)) return []
  const parts: Buffer[] = []
  let start: number | undefined
  for (const { from, to, isLast } of delimiters(body, `--${boundary.trimEnd()}`)) {
    if (start !== undefined) parts.push(body.subarray(start, Math.max(start, lineEndBefore(body, from))))
    start = isLast ? undefined : to
    if (isLast) break
  }
  if (start !== undefined) parts.push(body.subarray(start))
  return parts
}

function* delimiters(body: Buffer, mark: string): Generator<{ from: number; to: number; isLast: boolean }> {
  for (let from = body.indexOf(mark); from !== -1; from = body.indexOf(mark, from + mark.length)) {
    if (from > 0 && body[from - 1] !== 0x0a) continue
    const rest = body.toString('latin1', from + mark.length, from + mark.length + 200)
    const [line, dashes] = /^(--)?[ \t]*(?:\r?\n|$)/.exec(rest) ?? []
    if (line !== undefined) yield { from, to: from + mark.length + line.length, isLast: dashes !== undefined }
  }
}

/** The line break before a delimiter belongs to the delimiter (RFC 2046 §5.1.1). */
const lineEndBefore = (body: Buffer, at: number): number => at - (body[at - 2] === 0x0d ? 2 : 1)
