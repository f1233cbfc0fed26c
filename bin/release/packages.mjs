// Finds the packages that a running server needs, in package-lock.json.

/**
 * Packages that only generate the database clients or build the pages. A release contains their results, so neither
 * they nor their dependencies are in it.
 */
const buildOnly = [/^prisma$/, /^@types\//, /^typescript$/, /^@next\/swc-/, /^@swc\/core$/, /^@parcel\/watcher$/]
const machine = { platform: process.platform, arch: process.arch }

/**
 * Returns the packages of a release in the order of their folders: `path`, `name`, the entry of the lock, and `needs`,
 * the folders of the packages it depends on. Platform packages of other machines are left out.
 */
export function runtimePackages(lock, { platform, arch } = machine) {
  const root = lock.packages['']
  const fits = ({ os = [platform], cpu = [arch], libc = ['glibc'] }) =>
    os.includes(platform) && cpu.includes(arch) && libc.includes('glibc')
  const needs = (path, entry) =>
    namesOf(entry)
      .filter((name) => !buildOnly.some((pattern) => pattern.test(name)))
      .map((name) => resolve(lock, path, name))
      .filter((found) => found !== undefined && fits(lock.packages[found]))
  const found = new Map()
  const waiting = needs('', { dependencies: root.dependencies })
  const first = [...waiting]
  while (waiting.length > 0) {
    const path = waiting.pop()
    if (found.has(path)) continue
    const entry = lock.packages[path]
    const next = needs(path, entry)
    found.set(path, { path, name: nameOf(path), entry, needs: next })
    waiting.push(...next)
  }
  return { first, packages: [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/** Returns the name of the package in a folder of the lock. */
export function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function namesOf({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]
}

/** Returns the folder from which Node loads `name` for a module in the package `from`. */
function resolve(lock, from, name) {
  const above = from.lastIndexOf('/node_modules/')
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (lock.packages[path]) return path
  return from === '' ? undefined : resolve(lock, above < 0 ? '' : from.slice(0, above), name)
}
