import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** Hashes a password with argon2id (RFC 9106), with its parameters beside it as a PHC string. */
export async function hashPassword(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  const hash = await derive(password, salt, cost, hashBytes)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(hash)}`
}

/** Whether a password is the one that was hashed; `rehash` when it was hashed with weaker parameters than today's. */
export async function verifyPassword(password: string, stored: string): Promise<{ ok: boolean; rehash: boolean }> {
  const parts = phc.exec(stored)
  if (!parts) throw new Error('A stored password hash is not an argon2id PHC string.')
  const [memory = 0, passes = 0, parallelism = 0] = parts.slice(1, 4).map(Number)
  const [salt, expected] = parts.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer]
  const actual = await derive(password, salt, { memory, passes, parallelism }, expected.length)
  const ok = timingSafeEqual(actual, expected)
  return { ok, rehash: ok && (memory < cost.memory || passes < cost.passes || expected.length < hashBytes) }
}

/** Takes as long as verifying does, for a username that nobody has: the two must not be told apart by time. */
export async function dummyVerify(password: string): Promise<{ ok: false; rehash: false }> {
  await derive(password, noSalt, cost, hashBytes)
  return { ok: false, rehash: false }
}

type Cost = { memory: number; passes: number; parallelism: number }

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const hashBytes = 32
const noSalt = Buffer.alloc(16)
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
const run = promisify(argon2)

/** One spelling for what looks alike on every keyboard (NIST SP 800-63B §3.1.1.2). */
function derive(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) {
  return run('argon2id', { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength })
}
