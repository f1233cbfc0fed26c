/** One part of a multipart/form-data body; `isFile` where the form's control was a file. */
export type Part = { name: string; isFile: boolean; bytes: Buffer }

/** The largest number of parts, and the largest file and text in bytes. */
export type PartLimits = { parts: number; file: number; text: number }

const mostHeaderBytes = 2048

/** Returns the boundary of a multipart/form-data Content-Type (RFC 2046 §5.1.1); undefined for any other type. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? []
  return quoted ?? plain
}

/**
 * Reads multipart/form-data (RFC 7578) as it arrives. Returns 'too_large' as soon as a file or text exceeds its limit, and
 * undefined for a malformed body; leaves the rest of the body unread in both cases.
 */
export async function readParts(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  limits: PartLimits,
): Promise<Part[] | 'too_large' | undefined> {
  const chunks = body[Symbol.asyncIterator]()
  const reader = makeReader(chunks)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  try {
    // The first delimiter has no line break before it.
    if ((await reader.until(delimiter.subarray(2), 0)) !== '') return undefined
    const parts: Part[] = []
    for (;;) {
      const next = await reader.take(2)
      if (next === '--') return parts
      if (next !== '\r\n' || parts.length === limits.parts) return undefined
      const head = readHead(await reader.until(endOfHead, mostHeaderBytes))
      if (!head) return undefined
      const bytes = await reader.bytesUntil(delimiter, head.isFile ? limits.file : limits.text)
      if (!Buffer.isBuffer(bytes)) return bytes
      parts.push({ ...head, bytes })
    }
  } finally {
    await chunks.return?.()
  }
}

const endOfHead = Buffer.from('\r\n\r\n')

/** Reads the name of a part's form control; browsers percent-encode its quotes and line breaks (HTML §4.10.21.8). */
function readHead(head: string | undefined): Omit<Part, 'bytes'> | undefined {
  const [disposition] = /^content-disposition:[ \t]*form-data\b[^\r\n]*/im.exec(head ?? '') ?? []
  const [, name] = /;[ \t]*name="([^"]*)"/i.exec(disposition ?? '') ?? []
  return disposition === undefined || name === undefined
    ? undefined
    : { name, isFile: /;[ \t]*filename\*?=/i.test(disposition) }
}

function makeReader(chunks: AsyncIterator<Uint8Array>) {
  let pending = Buffer.alloc(0)

  /** Appends the next chunk; false at the end of the body. */
  const more = async () => {
    const { done, value } = await chunks.next()
    if (done) return false
    pending = Buffer.concat([pending, value])
    return true
  }

  /**
   * Returns the bytes before `mark` and drops both; 'too_large' above `most` bytes, undefined when the body ends
   * first.
   */
  const bytesUntil = async (mark: Buffer, most: number): Promise<Buffer | 'too_large' | undefined> => {
    const kept: Buffer[] = []
    let size = 0
    for (;;) {
      const at = pending.indexOf(mark)
      // The end of the pending bytes may be the start of a delimiter.
      const end = at === -1 ? Math.max(0, pending.length - mark.length + 1) : at
      size += end
      if (size > most) return 'too_large'
      kept.push(pending.subarray(0, end))
      pending = pending.subarray(at === -1 ? end : end + mark.length)
      if (at !== -1) return Buffer.concat(kept)
      if (!(await more())) return undefined
    }
  }

  return {
    bytesUntil,
    async until(mark: Buffer, most: number): Promise<string | undefined> {
      const bytes = await bytesUntil(mark, most)
      return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : undefined
    },
    async take(count: number): Promise<string | undefined> {
      while (pending.length < count) if (!(await more())) return undefined
      const taken = pending.subarray(0, count).toString('latin1')
      pending = pending.subarray(count)
      return taken
    },
  }
}
