// Chooses the Node that runs Postern: the one from the project's packages, or the current one when it is new enough.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// crypto.argon2 exists since 24.7.
const oldest = [24, 7]

/** Returns the path of the Node 24 binary for the checkout at `root`. Throws an error that says how to get one. */
export function findNode(root) {
  const brought = broughtNode(root)
  if (brought) return brought
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new Error(
    `Node 24.7 or newer is needed and this is ${process.version}. The npm package "node" normally brings it; ` +
      'let npm run its install script (npm config: ignore-scripts=false), or install Node 24 yourself.',
  )
}

/** Returns an environment whose PATH finds `node` and the project's tools first. */
export function environment(root, extra = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    CHECKPOINT_DISABLE: '1',
    [key]: `${join(root, 'node_modules/.bin')}${delimiter}${process.env[key] ?? ''}`,
    ...extra,
  }
}

/** Returns whether the Node binary from npm starts on this machine (it is built for glibc). */
export function broughtNodeRuns(root) {
  const node = broughtNode(root)
  return (
    node !== null && isNewEnough(spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout ?? '')
  )
}

function broughtNode(root) {
  const path = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  // The install step creates this file when the binary does not start on this machine.
  return existsSync(path) && !existsSync(join(root, 'node_modules/.postern/foreign-node')) ? realpathSync(path) : null
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.trim().split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}
