import { isAscii } from 'node:buffer'
import { Readable } from 'node:stream'
import { inspectMessage } from './inspect-message.ts'
import { makeSpill } from './spill.ts'

/**
 * Takes a whole message in, so that its sender can be checked and it can be signed before one byte goes on (relay §5). The
 * source is read to its end whatever is found, unless it comes in crumbs, each of which costs as much as a packet; one that
 * breaks off rejects, and nothing is left behind. `enter` is asked once whether there is room, when more than the beginning
 * has come in, or all: who sends next to nothing takes nobody's room.
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
 * The most that is announced, the most that lies in memory, and the most pieces a message may come in: a packet is one, and
 * each line that begins with a dot begins another. The largest message sent line by line has 350,000.
 */
export const spoolSizes = { total: 25 * 1024 * 1024, memory: 256 * 1024, pieces: 500_000 }

/** What is taken in of every message: it fits the memory that each begins with. */
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
        // A full disk is told after the source is drained.
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

/** A message without an empty line is a header block and nothing else: its end is written here. */
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

/** A header block must fit into `memory`; `folder` takes what does not. */
export type SpoolLimits = { total: number; memory: number; pieces: number; folder: string }

export type SpoolProblem = {
  kind: 'too_large' | 'too_many_pieces' | 'no_room' | 'head_too_large' | 'nul' | 'bare_newline'
}

export type Spooled = {
  kind: 'spooled'
  /** The header block, the empty line included. */
  head: Buffer
  size: number
  bodySize: number
  /** In hex. */
  bodySha256: string
  /** For a DKIM signature with c=…/relaxed, in base64. */
  dkimBodyHash: string
  /** Whether the body, or the header block, holds bytes beyond ASCII. */
  eightBit: boolean
  utf8Head: boolean
  /** The message as it came, as often as asked. */
  read(): Readable
  body(): Readable
  /** Another header block before the body as it came. */
  withHead(head: Buffer): Readable
  whole(): Promise<Buffer>
  /** So many bytes of it, or all. */
  beginning(most: number): Promise<Buffer>
  /** Gives memory and disk back; what is still being read breaks off. */
  discard(): Promise<void>
}
