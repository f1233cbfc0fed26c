import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the version of package.json and, in a git checkout, the commit: `1.2.3 (0123456)`. Reads below `root`. */
export function ownVersion(root = process.cwd()): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const commit = commitOf(join(root, '.git'))
  return commit ? `${version} (${commit.slice(0, 8)})` : version
}

function commitOf(git: string): string | undefined {
  const head = read(join(git, 'HEAD'))
  const ref = /^ref: (\S+)/.exec(head)?.[1]
  if (!ref) return /^[0-9a-f]{40}/.exec(head)?.[0]
  const packed = read(join(git, 'packed-refs'))
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
  return /^[0-9a-f]{40}/.exec(read(join(git, ref)) || (packed ?? ''))?.[0]
}

/** Returns the text of a file, or nothing for an absent one: most installations are not git checkouts. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
