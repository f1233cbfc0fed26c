import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

const tooLarge = () => new Refusal(413, 'The request body is too large.', { connection: 'close' })

/**
 * Reads a whole body, at most `limit` bytes. Of a body that is larger, up to `linger` bytes more are read and forgotten:
 * a browser hears the answer only when it may finish sending.
 */
export function readBody(incoming: IncomingMessage, limit: number, linger = 0): Promise<Buffer> {
  checkDeclaredLength(incoming, limit + linger)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (size > limit + linger) {
        incoming.pause()
        reject(tooLarge())
      }
    })
    incoming.on('end', () => {
      if (size > limit) reject(tooLarge())
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    })
    incoming.on('error', () => reject(new Refusal(400, 'The request body ended early.')))
  })
}

/** A body whose length is declared can be refused before a byte of it is read. */
function checkDeclaredLength(incoming: IncomingMessage, limit: number) {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge()
}
