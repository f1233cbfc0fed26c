// One short text that changes exactly when the content of the named files and folders changes.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

// None of these reaches what `next build` or `prisma generate` makes; tests would only cause builds nobody needs.
const skipped = new Set(['node_modules', '.next', '.git', '.data', 'generated', 'testing', 'next-env.d.ts'])
const isSkipped = (name) => skipped.has(name) || /\.test\.tsx?$/.test(name) || name.endsWith('.tsbuildinfo')

/** The digest of the content (never the times) of `paths` below `root`, in a fixed order; what is missing counts as missing. */
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
