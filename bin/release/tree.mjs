// Copies from a prepared checkout what a server needs.

import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runtimePackages } from './packages.mjs'

const copied = [
  'app',
  'lib',
  'messages',
  'public',
  'prisma/migrations',
  'prisma/apply.ts',
  'prisma/lock-waits.ts',
  // The console shows these pages to developers.
  'docs',
  'deploy',
  'server.ts',
  'serve.ts',
  'load-stripped.mjs',
  'next.config.mjs',
  'package-lock.json',
  '.env.example',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
]

/** Results of the build that no server reads. */
const notServed = new Set(['cache', 'diagnostics', 'types', 'lock', 'trace', 'trace-build'])
const isForDevelopers = (path) => /\.test\.tsx?$|^lib\/testing(\/|$)/.test(path)
/**
 * Files of packages that no release uses: the clients of other databases, Prisma's compilers as text (ours are beside our clients),
 * and the sources and the binaries of other systems.
 */
const isForOthers = (path) =>
  /^node_modules\/@prisma\/client\/runtime\/.*(cockroachdb|mysql|sqlserver|wasm-base64)/.test(path) ||
  /^node_modules\/better-sqlite3\/(deps|src|prebuilds\/(?!linux-))/.test(path)
const isForDebuggers = (path) => /\.(map|tsbuildinfo|d\.[mc]?ts)$/.test(path)
/** Lists of the files that a page might need, for other ways to deploy. They name files of the checkout that are in no commit. */
const isTrace = (path) => path.endsWith('.nft.json')

/** Writes the files of a release to the folder `out`, which must not exist yet. Returns the packages in it. */
export function writeTree(root, out) {
  mkdirSync(out)
  const copy = (path, keep) => {
    const filter = (source) => keep(relative(root, source))
    cpSync(join(root, path), join(out, path), { recursive: true, verbatimSymlinks: true, filter })
  }
  for (const path of copied) copy(path, (one) => !isForDevelopers(one))
  copy('.next', (one) => !isForDebuggers(one) && !isTrace(one) && !notServed.has(one.slice('.next/'.length)))
  fixKeys(out)
  hidePath(root, out)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { packages } = runtimePackages(lock)
  for (const { path } of packages) copy(path, (one) => isOfPackage(path, one))
  cpSync(join(out, 'deploy/bin'), join(out, 'bin'), { recursive: true })
  rmSync(join(out, 'deploy/bin'), { recursive: true })
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(root), null, 2)}\n`)
}

/** Returns whether a release contains this file of the package in `folder`; nested packages are copied by themselves. */
function isOfPackage(folder, file) {
  const inside = file.slice(folder.length + 1)
  // The package "node" keeps a second copy of the program.
  return (
    !inside.split('/').includes('node_modules') &&
    ![isForDebuggers, isForDevelopers].some((one) => one(inside)) &&
    !isForOthers(file)
  )
}

/** A release is neither built nor installed again, so it has no scripts. */
function manifest(root) {
  const { name, version, license, type, imports, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return { name, version, license, private: true, type, imports, dependencies }
}

/**
 * Replaces the keys that Next makes at random in each build, so that one commit gives one release. Postern uses neither
 * Next's preview mode nor its server actions, and the front door drops the header that would ask for a preview.
 */
function fixKeys(out) {
  const key = (name, bytes) => createHash('sha256').update(`postern ${name}`).digest().subarray(0, bytes)
  const preview = {
    previewModeId: key('previewModeId', 16).toString('hex'),
    previewModeSigningKey: key('previewModeSigningKey').toString('hex'),
    previewModeEncryptionKey: key('previewModeEncryptionKey').toString('hex'),
  }
  const encryptionKey = key('encryptionKey').toString('base64')
  for (const name of [
    'prerender-manifest.json',
    'server/preview-props.json',
    'server/server-reference-manifest.json',
    'server/server-reference-manifest.js',
  ]) {
    const file = join(out, '.next', name)
    let text = readFileSync(file, 'utf8')
    for (const [field, value] of Object.entries({ ...preview, encryptionKey }))
      text = text.replace(new RegExp(`(\\\\?"${field}\\\\?":\\s*\\\\?")[^"\\\\]+`), `$1${value}`)
    writeFileSync(file, text)
  }
}

/** Replaces the path of the checkout by the path of the Debian package in the settings that Next keeps of its build. */
function hidePath(root, out) {
  for (const name of ['required-server-files.json', 'required-server-files.js']) {
    const file = join(out, '.next', name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(root, '/usr/lib/postern'))
  }
}
