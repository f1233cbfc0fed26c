// Installs what the tests need on a Debian system when the process runs as root.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './run.mjs'

/** Returns the full path of a program on the PATH, or null. */
export function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      if (folder) return path
    } catch {
      // Not in this folder; try the next one.
    }
  }
  return null
}

/** Returns whether packages can be installed without a prompt. */
export function canAptInstall() {
  return process.getuid?.() === 0 && onPath('apt-get') !== null
}

/**
 * Installs a Debian package without prompts and without starting a service. Returns the output of apt when it failed.
 */
export async function aptInstall(name) {
  if (name === 'postgresql') keepClusterAway()
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  // Another apt process may hold the lock: wait for it instead of failing.
  const patient = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Options::=--force-confold']
  await run('apt-get', [...patient, 'update'], { label: 'apt-get update', env, limitSeconds: 300 })
  const args = [...patient, 'install', '--yes', '--no-install-recommends', name]
  const { code, output } = await run('apt-get', args, { label: `apt-get install ${name}`, env, limitSeconds: 600 })
  return code === 0 ? '' : output
}

/**
 * Returns the path of a program and installs its Debian package where the machine allows it. Throws an error that says
 * what to do otherwise.
 * @param {string} name
 * @param {string} [fromPackage]
 */
export async function ensureProgram(name, fromPackage = name) {
  const find = () => onPath(name) ?? [`/usr/sbin/${name}`].find((path) => existsSync(path))
  const isMissing = find() === undefined || isHalfInstalled(fromPackage)
  const said = isMissing && canAptInstall() ? await aptInstall(fromPackage) : ''
  const found = find()
  if (found) return found
  throw new Error(`${said}\n${name} was not found and could not be installed, so this test did not run. Install it.`)
}

/**
 * Returns whether Debian's package manager has a package, but has not finished with it: another process is installing it,
 * and its programs are there before its users and settings. `aptInstall` then waits for that process.
 */
function isHalfInstalled(name) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query has placeholders of its own.
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], { encoding: 'utf8' })
  return status === 0 && /^(unpacked|half-|triggers-)/.test(stdout)
}

/**
 * Debian's postgresql package creates and starts a cluster; this setting prevents that, because the tests start their
 * own server.
 */
function keepClusterAway() {
  const folder = '/etc/postgresql-common'
  const file = join(folder, 'createcluster.conf')
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    '# Written before the package came: no server is made with it. See pg_createcluster(1).\ncreate_main_cluster = false\n',
  )
}
