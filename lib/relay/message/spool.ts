import { isAscii } from 'node:buffer'
import { Readable } from 'node:stream'
import { inspectMessage } from './inspect-message.ts'
import { makeSpill } from './spill.ts'

/**
 * Reads a whole message before any byte is sent on, so that the sender can be checked and the message can be signed
 * (relay §5). Reads the source to its end, also after a problem; stops early only for a source of too many chunks,
 * because even a small chunk costs time. Rejects and frees memory and file when the source is aborted. Calls `enter`
 * once to get a slot, when 16 KiB are exceeded or the whole message has arrived: idle senders occupy no slot.
 */
export async function spool(
  source: Readable,
  limits: SpoolLimits,
  enter = () => true,
): Promise<Spooled | SpoolProblem> {
  const intake = makeIntake(limits, enter)
  let pieces = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      pieces += 1
      if (pieces > limits.pieces) return await intake.giveUp('too_many_pieces')
      await intake.take(chunk)
    }
    return await intake.finish()
  } catch (fault) {
    await intake.discard()
    throw fault
  }
}

/**
 * `total` is the announced size limit, `memory` the most that is kept in memory, and `pieces` the most chunks: each
 * packet is a chunk, and so is each line that begins with a dot. A message of 25 MiB in lines of 76 characters, each
 * in a packet of its own, has about 350,000 chunks.
 */
export const spoolSizes = { total: 25 * 1024 * 1024, memory: 256 * 1024, pieces: 500_000 }

/** Bytes read from every message before it needs a slot; they fit the initial buffer. */
const beginning = 16 * 1024

function makeIntake(limits: SpoolLimits, enter: () => boolean) {
  const spill = makeSpill(limits)
  const inspection = inspectMessage()
  let size = 0
  let bodyAt: number | undefined
  let problem: SpoolProblem['kind'] | undefined
  let fault: { reason: unknown } | undefined
  let entered: boolean | undefined

  const hasRoom = () => {
    entered ??= enter()
    return entered
  }

  const keep = async (chunk: Buffer) => {
    inspection.see(chunk)
    await spill.add(chunk)
    if (bodyAt !== undefined) return inspection.seeBody(chunk)
    const end = inspection.findEmptyLine(chunk)
    if (end !== undefined) {
      bodyAt = size - chunk.length + end
      inspection.seeBody(chunk.subarray(end))
    }
    if ((bodyAt ?? size) > limits.memory) problem = 'head_too_large'
  }

  return {
    async take(chunk: Buffer) {
      size += chunk.length
      if (size > limits.total) problem = 'too_large'
      else if (size > beginning && !hasRoom()) problem = 'no_room'
      if (problem || fault) return
      try {
        await keep(chunk)
      } catch (reason) {
        // A full disk is reported after the source is drained.
        fault = { reason }
      }
    },
    async finish(): Promise<Spooled | SpoolProblem> {
      if (fault) throw fault.reason
      const { eightBitBody, ...digests } = inspection.end()
      const kind = problem ?? problemOf(digests) ?? (hasRoom() ? undefined : 'no_room')
      if (!kind) return describeSpooled(spill, { size, bodyAt: bodyAt ?? size, eightBit: eightBitBody, ...digests })
      return this.giveUp(kind)
    },
    async giveUp(kind: SpoolProblem['kind']): Promise<SpoolProblem> {
      await spill.discard()
      return { kind }
    },
    discard: spill.discard,
  }
}

function problemOf(found: { nul: boolean; bareNewline: boolean }): SpoolProblem['kind'] | undefined {
  if (found.nul) return 'nul'
  return found.bareNewline ? 'bare_newline' : undefined
}

async function describeSpooled(
  spill: Spill,
  { bodyAt, ...facts }: { size: number; bodyAt: number; eightBit: boolean; bodySha256: string; dkimBodyHash: string },
): Promise<Spooled> {
  await spill.seal()
  const head = ended(await firstBytes(spill, bodyAt))
  const stream = (pieces: AsyncIterable<Buffer>) => Readable.from(pieces, { objectMode: false })
  return {
    kind: 'spooled',
    ...facts,
    head,
    bodySize: facts.size - bodyAt,
    utf8Head: !isAscii(head),
    read: () => stream(spill.pieces(0)),
    body: () => stream(spill.pieces(bodyAt)),
    withHead: (other) => stream(after(other, spill.pieces(bodyAt))),
    whole: async () => Buffer.concat(await Array.fromAsync(spill.pieces(0))),
    beginning: (most) => firstBytes(spill, Math.min(most, facts.size)),
    discard: spill.discard,
  }
}

async function firstBytes(spill: Spill, count: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let left = count
  for await (const piece of spill.pieces(0)) {
    pieces.push(piece.subarray(0, left))
    left -= piece.length
    if (left <= 0) break
  }
  return Buffer.concat(pieces)
}

/** Completes a message that has a header block but no empty line. */
function ended(head: Buffer): Buffer {
  const text = head.subarray(-4).toString('latin1')
  if (text === '\r\n\r\n' || (text === '\r\n' && head.length === 2)) return head
  if (head.length === 0 || text.endsWith('\r\n')) return Buffer.concat([head, lineEnd])
  return Buffer.concat([head, lineEnd, lineEnd])
}

async function* after(head: Buffer, pieces: AsyncIterable<Buffer>) {
  yield head
  yield* pieces
}

const lineEnd = Buffer.from('\r\n')

type Spill = ReturnType<typeof makeSpill>

/** A header block must fit into `memory`; larger messages continue in a file in `folder`. */
export type SpoolLimits = { total: number; memory: number; pieces: number; folder: string }

export type SpoolProblem = {
  kind: 'too_large' | 'too_many_pieces' | 'no_room' | 'head_too_large' | 'nul' | 'bare_newline'
}

export type Spooled = {
  kind: 'spooled'
  /** The header block, including the empty line. */
  head: Buffer
  size: number
  bodySize: number
  /** In hex. */
  bodySha256: string
  /** For a DKIM signature with c=…/relaxed, in base64. */
  dkimBodyHash: string
  /** Whether the body or the header block has non-ASCII bytes. */
  eightBit: boolean
  utf8Head: boolean
  /** Reads the message as it arrived; may be called repeatedly. */
  read(): Readable
  body(): Readable
  /** Reads the original body behind another header block. */
  withHead(head: Buffer): Readable
  whole(): Promise<Buffer>
  /** Reads the first bytes, or all. */
  beginning(most: number): Promise<Buffer>
  /** Frees memory and disk; a read in progress fails. */
  discard(): Promise<void>
}
