import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'

/** Scans a message chunk by chunk: line endings, NUL bytes and the hashes of its body. Chunks may be cut anywhere. */
export function inspectMessage() {
  const findEmptyLine = makeEmptyLineFinder()
  const sha256 = createHash('sha256')
  const dkim = new RelaxedBodyHash()
  const found = { nul: false, bareNewline: false, eightBitBody: false }
  let isAfterCr = false

  return {
    findEmptyLine,
    see(chunk: Buffer) {
      found.nul ||= chunk.includes(0)
      // CR and LF are only valid as a pair.
      let isPaired = true
      let follows = isAfterCr
      for (let at = 0; at < chunk.length; at++) {
        const isEnd = chunk[at] === lf
        if (follows !== isEnd) isPaired = false
        follows = chunk[at] === cr
      }
      isAfterCr = follows
      found.bareNewline ||= !isPaired
    },
    seeBody(chunk: Buffer) {
      found.eightBitBody ||= !isAscii(chunk)
      sha256.update(chunk)
      dkim.update(chunk)
    },
    end() {
      found.bareNewline ||= isAfterCr
      return { ...found, bodySha256: sha256.digest('hex'), dkimBodyHash: dkim.digest() }
    },
  }
}

/**
 * Makes a function that returns the index in a chunk at which the body begins; undefined if it begins in a later
 * chunk. A message may begin with the empty line.
 */
function makeEmptyLineFinder() {
  let matched = 2
  return (chunk: Buffer): number | undefined => {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      matched = byte === emptyLine[matched] ? matched + 1 : byte === cr ? 1 : 0
      if (matched === emptyLine.length) return at + 1
    }
    return undefined
  }
}

const emptyLine = Buffer.from('\r\n\r\n')
const cr = 0x0d
const lf = 0x0a

/**
 * Computes the body hash of DKIM's "relaxed" canonicalization (RFC 6376 §3.4.4) for a body with CRLF line endings. It
 * buffers no line, so a single line of 25 MiB costs no more than any other body.
 */
export class RelaxedBodyHash {
  readonly #hash = createHash('sha256')
  readonly #room = Buffer.allocUnsafe(65_536)
  #filled = 0
  #isEmpty = true
  // Held back until more text follows: trailing blanks and trailing empty lines are not hashed.
  #lineEnds = 0
  #isBlank = false

  update(chunk: Buffer) {
    if (!chunk.includes(space) && !chunk.includes(tab)) return this.#takeWhole(chunk)
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === lf) this.#endLine()
      else if (byte === space || byte === tab) this.#isBlank = true
      else if (byte !== cr) {
        this.#writeHeldBack()
        this.#room[this.#filled++] = byte
      }
    }
  }

  digest(): string {
    this.#lineEnds = this.#isEmpty ? 0 : 1
    this.#writeLineEnds()
    this.#flush()
    return this.#hash.digest('base64')
  }

  /**
   * Fast path for text without blanks, such as encoded attachments: only the line endings at both edges are held
   * back.
   */
  #takeWhole(chunk: Buffer) {
    let start = 0
    let end = chunk.length
    while (start < end && isLineEnd(chunk[start])) if (chunk[start++] === lf) this.#endLine()
    if (start === end) return
    while (isLineEnd(chunk[end - 1])) end--
    this.#writeHeldBack()
    this.#flush()
    this.#hash.update(chunk.subarray(start, end))
    for (; end < chunk.length; end++) if (chunk[end] === lf) this.#endLine()
  }

  #endLine() {
    this.#lineEnds++
    this.#isBlank = false
  }

  #writeHeldBack() {
    if (this.#lineEnds > 0) this.#writeLineEnds()
    if (this.#filled > this.#room.length - 4) this.#flush()
    if (this.#isBlank) this.#room[this.#filled++] = space
    this.#isBlank = false
    this.#isEmpty = false
  }

  #writeLineEnds() {
    for (; this.#lineEnds > 0; this.#lineEnds--) {
      if (this.#filled > this.#room.length - 4) this.#flush()
      this.#room[this.#filled++] = cr
      this.#room[this.#filled++] = lf
    }
  }

  #flush() {
    this.#hash.update(this.#room.subarray(0, this.#filled))
    this.#filled = 0
  }
}

const space = 0x20
const tab = 0x09
const isLineEnd = (byte: number | undefined) => byte === lf || byte === cr
