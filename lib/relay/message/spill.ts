import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Buffers bytes in memory up to a limit, then in an unlinked temporary file. */
export function makeSpill({ memory, folder }: { memory: number; folder: string }) {
  let room = Buffer.allocUnsafe(Math.min(memory, firstRoom))
  let filled = 0
  let file: FileHandle | undefined
  let inFile = 0
  let isGone = false

  const flush = async () => {
    file ??= await openNameless(folder)
    await writeAll(file, room.subarray(0, filled), inFile)
    inFile += filled
    filled = 0
  }
  const add = async (bytes: Buffer) => {
    for (let from = 0; from < bytes.length; ) {
      if (filled === room.length && room.length === memory) await flush()
      if (filled + bytes.length - from > room.length) room = grown(room, filled, memory)
      const taken = bytes.copy(room, filled, from)
      filled += taken
      from += taken
    }
  }

  return {
    add,
    /** Ends writing: flushes to the file if there is one, and frees the buffer. */
    async seal() {
      if (file && filled > 0) await flush()
      room = file ? Buffer.alloc(0) : Buffer.from(room.subarray(0, filled))
    },
    /** Yields the content from this byte on; only after `seal`. */
    async *pieces(start: number): AsyncGenerator<Buffer> {
      if (isGone) throw new Error('This message was discarded')
      if (file) yield* readPieces(file, start, inFile)
      else if (start < filled) yield room.subarray(start)
    },
    async discard() {
      isGone = true
      room = Buffer.alloc(0)
      const open = file
      file = undefined
      await open?.close()
    },
  }
}

const firstRoom = 16_384
const pieceSize = 65_536

function grown(room: Buffer<ArrayBuffer>, filled: number, memory: number): Buffer<ArrayBuffer> {
  if (room.length === memory) return room
  const larger = Buffer.allocUnsafe(Math.min(memory, room.length * 2))
  room.copy(larger, 0, 0, filled)
  return larger
}

/** Creates the file in a private folder that is removed as soon as the file is open. */
async function openNameless(folder: string): Promise<FileHandle> {
  const own = await mkdtemp(join(folder, 'relay-'))
  try {
    return await open(join(own, 'message'), 'wx+', 0o600)
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number) {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

async function* readPieces(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceSize, end - at))
    const { bytesRead } = await file.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw new Error('A spooled message ended early')
    yield piece.subarray(0, bytesRead)
    at += bytesRead
  }
}
