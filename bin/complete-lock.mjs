// Adds the optional platform packages that a registry leaves out, so that `npm ci` accepts the lock on every platform.
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'

const systems = ['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony', 'netbsd', 'openbsd', 'aix', 'sunos']
const processors = ['x64', 'arm64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'arm']

/**
 * Returns the lock with an entry for every optional dependency of its packages, and the names of the added entries.
 */
export function completeLock(lock) {
  const packages = { ...lock.packages }
  const added = []
  for (const [at, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isInstalled(packages, at, name)) continue
      packages[`node_modules/${name}`] = platformEntry(name, range, entry.dev)
      added.push(name)
    }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added }
}

/** Returns whether Node's lookup finds `name` from the package at `at`. */
function isInstalled(packages, at, name) {
  for (let folder = at; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true
    if (!folder) return false
  }
}

/**
 * Returns the entry that the registry left out, derived from the name. npm skips an entry whose os or cpu differs
 * from the machine's.
 */
function platformEntry(name, range, dev) {
  const words = name.split(/[-/_@]/)
  const isMusl = words.some((word) => word.includes('musl'))
  const system =
    systems.find((one) => words.includes(one)) ?? (isMusl ? 'linux' : words.includes('win') ? 'win32' : null)
  const cpu =
    processors.find((one) => words.includes(one)) ?? (words.some((word) => word.startsWith('arm')) ? 'arm' : null)
  return {
    version: range.replace(/^[~^]/, ''),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(dev ? { dev } : {}),
    ...(isMusl ? { libc: ['musl'] } : {}),
    optional: true,
    // No system in the name: a WebAssembly or unknown build, which no supported machine installs.
    os: [system ?? 'none'],
  }
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const { lock, added } = completeLock(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  if (added.length) writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
  console.log(added.length ? `Added ${added.length}: ${added.join(', ')}` : 'package-lock.json is complete.')
}
