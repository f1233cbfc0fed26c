import { createHash } from 'node:crypto'

/**
 * The body hash of DKIM's "relaxed" form (RFC 6376 §3.4.4) of a body whose lines end in CRLF. It keeps no line, so a body
 * of one line of 25 MiB costs no more than any other.
 */
export function makeRelaxedBodyHash() {
  const hash = createHash('sha256')
  const out = Buffer.allocUnsafe(65_536)
  let filled = 0
  let isEmpty = true
  let pendingLineEnds = 0
  let pendingSpace = false

  const flush = () => {
    hash.update(out.subarray(0, filled))
    filled = 0
  }
  const writeLineEnds = () => {
    for (; pendingLineEnds > 0; pendingLineEnds--) {
      if (filled > out.length - 4) flush()
      out[filled++] = cr
      out[filled++] = lf
    }
  }

  return {
    update(chunk: Uint8Array) {
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number
        if (byte === lf) {
          pendingLineEnds++
          pendingSpace = false
        } else if (byte === space || byte === tab) pendingSpace = true
        else if (byte !== cr) {
          if (pendingLineEnds > 0) writeLineEnds()
          if (filled > out.length - 4) flush()
          if (pendingSpace) out[filled++] = space
          out[filled++] = byte
          pendingSpace = false
          isEmpty = false
        }
      }
    },
    digest(): string {
      pendingLineEnds = isEmpty ? 0 : 1
      writeLineEnds()
      flush()
      return hash.digest('base64')
    },
  }
}

const cr = 0x0d
const lf = 0x0a
const space = 0x20
const tab = 0x09
