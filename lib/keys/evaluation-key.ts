import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepPrivate } from '#lib/crypto/private-file'

/** Returns the master key of an evaluation; the first call creates it in the data folder, readable by its owner only (design §5). */
export function evaluationKey(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'secret-key')
  keepPrivate(file)
  return read(file) ?? create(file)
}

/** Returns the master key of an evaluation if it exists; changes nothing. */
export const existingEvaluationKey = (dataDir: string): Buffer | undefined => read(join(dataDir, 'secret-key'))

function create(file: string): Buffer {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    // Linking a complete file is atomic: of two processes that start at once, one creates the key, and both read it.
    linkSync(draft, file)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
  } finally {
    rmSync(draft)
  }
  return read(file) as Buffer
}

function read(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
    if (key.length !== 32)
      throw new Error(`${file} does not hold a 32-byte key. Restore it, or remove the data folder to start over.`)
    return key
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fault
  }
}
