import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled, npmCi } from '../bin/install.mjs'
import { run } from '../bin/run.mjs'

const here = import.meta.dirname
const folders = {
  node: join(here, 'node'),
  python: join(here, 'python'),
  go: join(here, 'go'),
  java: join(here, 'java'),
  rust: join(here, 'rust'),
  debian: join(here, 'debian'),
}
const python = join(folders.python, '.venv/bin/python')

const hasApache = 'test -e /usr/lib/apache2/modules/mod_auth_openidc.so'
// RUNLEVEL=1 keeps the installation from starting the Apache service.
const installApache = 'RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install --yes libapache2-mod-auth-openidc'

/** The commands that install and run the libraries of one language, and the folder of its programs. */
export type Toolchain = {
  name: keyof typeof folders
  folder: string
  /** A command that succeeds if the toolchain is installed. */
  probe: [command: string, args: string[]]
  /** The name of the toolchain for the message that it is not installed. */
  needs: string
  /** The commands that install the libraries. */
  install(): [command: string, args: string[], env?: NodeJS.ProcessEnv][]
  /** The command that starts a program. */
  start(program: string): [command: string, args: string[]]
  /**
   * The files that pin the versions, and a pattern for the version of a library in them; absent for Debian packages.
   */
  pins?: { files: string[]; version(name: string): RegExp }
}

export const toolchains: Toolchain[] = [
  {
    name: 'node',
    folder: folders.node,
    probe: [process.execPath, ['--version']],
    needs: 'node',
    install: () => (isInstalled(folders.node) ? [] : [npmCi(folders.node) as [string, string[], NodeJS.ProcessEnv]]),
    start: (program) => [process.execPath, [program]],
    pins: { files: ['package.json'], version: (name) => new RegExp(`"${name}": "(?:npm:.*@)?([\\d.]+)"`) },
  },
  {
    name: 'python',
    folder: folders.python,
    probe: ['python3', ['-c', 'import venv, ensurepip']],
    needs: 'python3 with venv',
    install: () => [
      ['python3', ['-m', 'venv', '.venv']],
      [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt']],
    ],
    start: (program) => [python, [program]],
    pins: { files: ['requirements.txt'], version: (name) => new RegExp(`^${name}==([\\d.]+)$`, 'm') },
  },
  {
    name: 'go',
    folder: folders.go,
    probe: ['go', ['version']],
    needs: 'go',
    install: () => [
      ['go', ['build', '-o', '.bin/', './...']],
      // oauth2-proxy has its own Go module, so that its dependencies keep the versions of its release.
      ['go', ['-C', 'oauth2-proxy', 'build', '-o', '../.bin/', 'tool']],
    ],
    start: (program) => (program.endsWith('.sh') ? ['sh', [program]] : [join(folders.go, '.bin', program), []]),
    pins: { files: ['go.mod', 'oauth2-proxy/go.mod'], version: (name) => new RegExp(`${name} v([\\d.]+)`) },
  },
  {
    name: 'rust',
    folder: folders.rust,
    probe: ['cargo', ['--version']],
    needs: 'cargo',
    install: () => [['cargo', ['build', '--quiet', '--locked', '--target-dir', '.target']]],
    start: (program) => [join(folders.rust, '.target/debug', program), []],
    pins: { files: ['Cargo.toml'], version: (name) => new RegExp(`^${name} = .*?"([\\d.]+)"`, 'm') },
  },
  {
    name: 'java',
    folder: folders.java,
    probe: ['sh', ['-c', 'java -version && mvn -version']],
    needs: 'java with mvn',
    install: () => ['boot4', 'boot3'].map((profile) => ['mvn', ['-B', '-q', '-ntp', `-P${profile}`, 'compile']]),
    start: (profile) => ['java', ['-cp', `.target/${profile}/classes:.target/${profile}/dependency/*`, 'app.App']],
    pins: { files: ['pom.xml'], version: (name) => new RegExp(`<!-- ${name} --><boot>([\\d.]+)`) },
  },
  {
    name: 'debian',
    folder: folders.debian,
    probe: ['sh', ['-c', `${hasApache} || { test "$(id -u)" = 0 && command -v apt-get; }`]],
    needs: 'Debian with libapache2-mod-auth-openidc, or a root user who installs it,',
    install: () => [['sh', ['-c', `${hasApache} || { apt-get update && ${installApache}; }`]]],
    start: (program) => ['sh', [program]],
  },
]

/**
 * Installs the libraries of a toolchain. Returns why the libraries were skipped or failed to install; an empty object
 * after a success.
 */
export async function prepareToolchain(toolchain: Toolchain): Promise<{ skipped?: string; failed?: string }> {
  const [command, args] = toolchain.probe
  if ((await run(command, args)).code !== 0) return { skipped: `${toolchain.needs} is not installed` }
  for (const [installer, options, env = process.env] of toolchain.install()) {
    const label = `installing the libraries for ${toolchain.name}`
    const { code, output } = await run(installer, options, { cwd: toolchain.folder, env, label })
    if (code !== 0) return { failed: output }
  }
  return {}
}

/** Returns the version of a library that its toolchain installs. */
export function versionOf({ folder, pins }: Toolchain, name: string): string {
  if (!pins) return debianVersion(name)
  const text = pins.files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  return pins.version(name).exec(text)?.[1] ?? 'unknown'
}

/** Returns the upstream version of an installed package. */
function debianVersion(name: string): string {
  const { stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' })
  return /^Version: (?:\d+:)?([\d.]+)/m.exec(stdout ?? '')?.[1] ?? 'unknown'
}
