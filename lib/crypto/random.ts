import { randomFillSync } from 'node:crypto'

/** Random bytes for the next values: a draw costs two microseconds and more, however many bytes it fills. */
const drawn = Buffer.alloc(4096)
let used = drawn.length

/** Returns random bytes. Draws small values ahead and forgets them once they are taken, as `randomUUID` does. */
export function random(bytes: number): Buffer {
  const value = Buffer.alloc(bytes)
  if (bytes > 64) return randomFillSync(value)
  if (used + bytes > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  drawn.copy(value, 0, used, used + bytes)
  drawn.fill(0, used, used + bytes)
  used += bytes
  return value
}
