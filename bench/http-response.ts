/** The parts of an HTTP response that the load generator checks. */
export type HttpResponse = {
  status: number
  /** The status line and the headers in lower case. */
  headers: string
  body: Buffer
  closes: boolean
}

const headEnd = Buffer.from('\r\n\r\n')
const empty = Buffer.alloc(0)

/**
 * Splits a byte stream into HTTP/1.1 responses, one at a time and cheaply. Supports framing by Content-Length and by
 * chunks (RFC 9112 §6) and throws on any other framing, so that no measurement continues with a misread response.
 */
export class HttpResponseReader {
  #held: Buffer = empty

  /** Adds received bytes. Returns the response they complete, or undefined while it is incomplete. */
  push(bytes: Buffer): HttpResponse | undefined {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    const head = this.#held.indexOf(headEnd)
    if (head === -1) return undefined
    const headers = this.#held.toString('latin1', 0, head).toLowerCase()
    const status = Number(headers.slice(9, 12))
    if (!headers.startsWith('http/1.1 ') || !(status >= 200))
      throw new Error(`Unexpected answer: ${headers.slice(0, 80)}`)
    const framed = this.#body(headers, status, head + headEnd.length)
    if (!framed) return undefined
    if (framed.end < this.#held.length) throw new Error('The server sent more than one answer.')
    this.#held = empty
    return { status, headers, body: framed.body, closes: headers.includes('\r\nconnection: close') }
  }

  #body(headers: string, status: number, start: number) {
    if (status === 204 || status === 304) return { body: empty, end: start }
    const length = /\r\ncontent-length: *(\d+)/.exec(headers)
    if (length) {
      const end = start + Number(length[1])
      return end <= this.#held.length ? { body: this.#held.subarray(start, end), end } : undefined
    }
    if (headers.includes('\r\ntransfer-encoding: chunked')) return this.#chunks(start)
    throw new Error('An answer without Content-Length cannot keep its connection alive.')
  }

  #chunks(start: number) {
    const parts: Buffer[] = []
    for (let at = start; ; ) {
      const line = this.#held.indexOf('\r\n', at)
      if (line === -1) return undefined
      const size = Number.parseInt(this.#held.toString('latin1', at, line), 16)
      if (Number.isNaN(size)) throw new Error('A chunk without a size.')
      const end = line + 2 + size
      if (end + 2 > this.#held.length) return undefined
      // No measured server sends trailers: the last chunk is followed by one empty line.
      if (size === 0) return { body: Buffer.concat(parts), end: end + 2 }
      parts.push(this.#held.subarray(line + 2, end))
      at = end + 2
    }
  }
}
