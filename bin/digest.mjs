// A short text that changes exactly when the content of the named files and folders changes.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

// These do not affect `next build` or `prisma generate`; a change to them must not cause a build.
const skipped = new Set(['node_modules', '.next', '.git', '.data', 'generated', 'testing', 'next-env.d.ts'])
const isSkipped = (name) => skipped.has(name) || /\.test\.tsx?$/.test(name) || name.endsWith('.tsbuildinfo')

/**
 * Returns the digest of the content (never the times) of `paths` below `root`, in a fixed order. A missing path is
 * part of the digest.
 */
export function digest(root, paths, extra = '') {
  const hash = createHash('sha1').update(`${process.platform} ${process.arch} ${extra}\0`)
  const visit = (path) => {
    const full = join(root, path)
    const found = statSync(full, { throwIfNoEntry: false })
    if (!found) return
    if (found.isDirectory()) {
      for (const name of readdirSync(full).sort()) if (!isSkipped(name)) visit(`${path}/${name}`)
    } else if (found.isFile()) {
      hash.update(`${path}\0${found.size}\0`).update(readFileSync(full))
    }
  }
  for (const path of paths) visit(path)
  return hash.digest('hex')
}
