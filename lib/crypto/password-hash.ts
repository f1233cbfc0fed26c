import { randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveArgon2 } from '#lib/crypto/argon2/derive'

// Every function of this module rejects with `Overloaded` when the queue for argon2 is full; the caller must not count
// that as a failed attempt.

/** Hashes a password with argon2id (RFC 9106); the parameters are part of the result, a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const [hash] = await hashPasswords([password])
  return hash as string
}

/** Hashes several secrets as one job of the queue: all of them or none. */
export async function hashPasswords(passwords: string[]): Promise<string[]> {
  const salts = passwords.map(() => randomBytes(16))
  const hashes = await deriveArgon2(passwords.map((one, index) => about(one, salts[index] as Buffer, cost, hashBytes)))
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`
  return hashes.map((hash, index) => `$argon2id$v=19$${parameters}$${base64(salts[index] as Buffer)}$${base64(hash)}`)
}

/**
 * Compares a password with a stored hash; `rehash` is true if the hash has weaker parameters than the current ones.
 */
export async function verifyPassword(password: string, stored: string): Promise<{ ok: boolean; rehash: boolean }> {
  const parts = phc.exec(stored)
  if (!parts) throw new Error('A stored password hash is not an argon2id PHC string.')
  const [memory = 0, passes = 0, parallelism = 0] = parts.slice(1, 4).map(Number)
  const [salt, expected] = parts.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer]
  const [actual] = await deriveArgon2([about(password, salt, { memory, passes, parallelism }, expected.length)])
  const ok = timingSafeEqual(actual as Buffer, expected)
  return { ok, rehash: ok && (memory < cost.memory || passes < cost.passes || expected.length < hashBytes) }
}

/** Takes as long as `verifyPassword`, so that the response time does not reveal an unknown username. */
export async function dummyVerify(password: string): Promise<{ ok: false; rehash: false }> {
  await deriveArgon2([about(password, noSalt, cost, hashBytes)])
  return { ok: false, rehash: false }
}

type Cost = { memory: number; passes: number; parallelism: number }

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const hashBytes = 32
const noSalt = Buffer.alloc(16)
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Normalizes a password, so that different keyboards produce the same bytes (NIST SP 800-63B §3.1.1.2). */
function about(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) {
  return { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength }
}
