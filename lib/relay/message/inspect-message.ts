import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { RelaxedBodyHash } from './relaxed-body-hash.ts'

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

/** Returns the index in a chunk at which the body begins. A message may begin with the empty line. */
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
