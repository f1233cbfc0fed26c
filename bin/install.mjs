// Installs the packages the same way under any environment and npm configuration.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'

// An .npmrc file or the environment may set each of these differently, and the installation could then not run.
const settings = [
  '--include=dev',
  '--include=optional',
  '--include=peer',
  '--ignore-scripts=false',
  '--bin-links=true',
  '--package-lock=true',
  '--dry-run=false',
  '--global=false',
  '--install-strategy=hoisted',
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
]

/** Returns the command, arguments and environment of `npm ci`. */
export function npmCi(root) {
  const env = { ...process.env }
  // NODE_ENV=production would omit the build tools; the other variables describe the calling npm command.
  for (const name of [
    'NODE_ENV',
    'npm_config_omit',
    'npm_config_only',
    'npm_config_production',
    'npm_config_dry_run',
  ]) {
    delete env[name]
  }
  const cli = process.env.npm_execpath
  if (cli && basename(cli) === 'npm-cli.js' && existsSync(cli)) {
    return [systemNode(root), [cli, 'ci', ...settings], env]
  }
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', ...settings], env]
}

/**
 * Returns whether npm already installed exactly the versions of the lock, for example by hand or in a container
 * image.
 */
export function isInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules/.package-lock.json'))
  if (!wanted || !present) return false
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      (present[path]
        ? present[path].version === entry.version && existsSync(join(root, path))
        : entry.optional === true),
  )
}

// `npm ci` removes node_modules first, including the Node 24 binary that may run this process.
function systemNode(root) {
  const own = join(root, 'node_modules') + sep
  const outside = process.env.npm_node_execpath
  return outside && !outside.startsWith(own) && existsSync(outside) ? outside : process.execPath
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}
