import type { IncomingMessage } from 'node:http'
import { ReadableStream } from 'node:stream/web'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from './refuse.ts'

const tooLarge = () => new Refusal(413, 'The request body is too large.', { connection: 'close' })

/** Reads a body of at most `limit` bytes. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  checkDeclaredLength(incoming, limit)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        incoming.pause()
        reject(tooLarge())
      }
    })
    incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    incoming.on('error', () => reject(new Refusal(400, 'The request body ended early.')))
  })
}

/**
 * Streams a body of at most `limit` bytes. Discards the unread rest, and up to `linger` further bytes, while the
 * answer is sent: a browser reads an answer only after it has sent its whole body.
 */
export function streamBody(incoming: IncomingMessage, limit: number, linger: number) {
  checkDeclaredLength(incoming, limit + linger)
  const chunks = upTo(limit, inPieces(incoming))
  return {
    body: ReadableStream.from(chunks),
    async dropRest() {
      await chunks.return()
      let dropped = 0
      incoming.on('error', () => undefined)
      incoming.on('data', (chunk: Buffer) => {
        dropped += chunk.length
        if (dropped > limit + linger) incoming.destroy()
      })
    },
  }
}

const small = 4096

/**
 * Yields the body as it arrives; joins a small chunk with the others that arrive in the same turn of the event loop.
 * Node's parser yields each chunk as it was sent, and one-byte chunks would take two hundred times their size in
 * memory.
 */
async function* inPieces(incoming: IncomingMessage): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (chunk.length < small) await nextTurn()
    const rest = incoming.readableLength > 0 ? incoming.read(incoming.readableLength) : null
    yield rest === null ? chunk : Buffer.concat([chunk, rest])
  }
}

async function* upTo(limit: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    yield chunk
  }
}

/** Refuses a body by its declared length, before reading it. */
function checkDeclaredLength(incoming: IncomingMessage, limit: number) {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge()
}
