import { brotliDecompressSync, constants, inflateRawSync, type Zlib } from 'node:zlib'
import { UnreadableContent } from '#lib/relay/reply/leak-gate/unreadable'

const MiB = 2 ** 20

/**
 * The remaining limits for searching one message: packed bytes read, unpacked bytes written, characters searched for
 * names, and milliseconds for PDFs. An honest reply needs far less.
 */
export type Budget = { read: number; written: number; words: number; pdfMilliseconds: number }
export const makeBudget = (): Budget => ({
  read: 512 * MiB,
  written: 64 * MiB,
  words: 8 * MiB,
  pdfMilliseconds: 40_000,
})

export type Inflated = { bytes: Buffer; end: number }

/** The size of the first attempt: random bytes fail to inflate within a few bytes. */
const trial = 64 * 1024
const costOfTrial = (bytes: number): number => Math.min(bytes + 512, 16 * 1024)

/**
 * Inflates the deflate stream that begins at an index, even if its end is missing. Returns its content and the index
 * after it; undefined if no stream begins there. Does not verify checksums.
 */
export function inflateAt(file: Buffer, from: number, budget: Budget): Inflated | undefined {
  const whole = file.subarray(from)
  const first = inflate(whole.subarray(0, trial), budget)
  if (!first) spend(budget, { read: costOfTrial(whole.length), written: 0 })
  const isDone = whole.length <= trial || !first || first.read < trial
  const all = isDone ? first : inflate(whole, budget)
  if (!isDone && !all) spend(budget, { read: whole.length, written: 0 })
  if (!all) return undefined
  spend(budget, { read: all.read, written: all.bytes.length })
  return { bytes: all.bytes, end: from + all.read }
}

/** Calls a function that mostly throws, without capturing stack traces: capturing one takes longer than the call. */
function quietly<T>(work: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = limit
  }
}

function inflate(bytes: Buffer, budget: Budget): { bytes: Buffer; read: number } | undefined {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, budget.written), info: true }
  try {
    const { buffer, engine } = quietly(() => inflateRawSync(bytes, options)) as unknown as {
      buffer: Buffer
      engine: Zlib
    }
    return { bytes: buffer, read: engine.bytesWritten }
  } catch (fault) {
    if ((fault as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new UnreadableContent('packed')
    return undefined
  }
}

/**
 * Unpacks a file that is one Brotli stream from its first byte to its last. Returns an empty buffer for any other
 * file.
 */
export function unpackBrotli(file: Buffer, budget: Budget): Buffer {
  try {
    const bytes = quietly(() => brotliDecompressSync(file, { maxOutputLength: Math.max(1, budget.written) }))
    spend(budget, { read: file.length, written: bytes.length })
    return bytes
  } catch (fault) {
    if (fault instanceof UnreadableContent || (fault as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new UnreadableContent('packed')
    spend(budget, { read: costOfTrial(file.length), written: 0 })
    return Buffer.alloc(0)
  }
}

/** Returns the length of the deflate stream at the start of these bytes; undefined if there is none. */
export function lengthOfStream(bytes: Buffer): number | undefined {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, info: true }
    return (quietly(() => inflateRawSync(bytes, options)) as unknown as { engine: Zlib }).engine.bytesWritten
  } catch {
    return undefined
  }
}

/** Subtracts from the budget; throws UnreadableContent when it is exhausted. */
export function spend(budget: Budget, { read, written }: { read: number; written: number }): void {
  budget.read -= read
  budget.written -= written
  if (budget.read < 0 || budget.written < 0) throw new UnreadableContent('packed')
}
