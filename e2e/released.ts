import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { environment, findNode } from '../bin/find-node.mjs'

/** The last release, which must run beside the present version. The commit, because a clone may lack tags. */
export const released = { version: '0.1.0', commit: 'f41ea2d9cb7021368e400d5663974c1fb97f7aa6' }

const root = resolve(import.meta.dirname, '..')

/**
 * Checks the last release out into a folder of this checkout, and builds it with the packages of the present version.
 * Returns the folder.
 */
export function buildReleased(): string {
  const folder = mkdtempSync(join(root, '.next/released-'))
  execFileSync('tar', ['-x', '-C', folder], { input: readArchive() })
  // With it, Next would look for its packages in this folder only, and not in the checkout above.
  rmSync(join(folder, 'package-lock.json'))
  // The generator looks for Prisma in the folder itself.
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/prisma'), join(folder, 'node_modules/prisma'))
  const run = (...args: string[]) => {
    const env = environment(root, { NODE_ENV: 'production' })
    execFileSync(findNode(root), args, { cwd: folder, env, stdio: 'pipe' })
  }
  run('prisma/generate.mjs')
  run(join(root, 'node_modules/next/dist/bin/next'), 'build')
  return folder
}

function readArchive(): Buffer {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 1 << 28, stdio: 'pipe' })
  try {
    return git('archive', released.commit)
  } catch (cause) {
    throw new Error(
      `Version ${released.version} cannot be read from git. This test needs commit ${released.commit} of the history: git fetch --unshallow, or git fetch origin ${released.commit}`,
      { cause },
    )
  }
}
