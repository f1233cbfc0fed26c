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
}
const python = join(folders.python, '.venv/bin/python')

/** How the libraries of one language are installed and run, each in an ignored folder of its own. */
export type Toolchain = {
  name: keyof typeof folders
  folder: string
  /** The command that shows that the toolchain is there. */
  probe: [command: string, args: string[]]
  /** What a machine without it lacks. */
  needs: string
  /** The commands that install the libraries. */
  install(): [command: string, args: string[], env?: NodeJS.ProcessEnv][]
  /** The command that starts a program. */
  start(program: string): [command: string, args: string[]]
  /** The file that pins the versions, and the version of a library in it. */
  pins: { file: string; version(name: string): RegExp }
}

export const toolchains: Toolchain[] = [
  {
    name: 'node',
    folder: folders.node,
    probe: [process.execPath, ['--version']],
    needs: 'node',
    install: () => (isInstalled(folders.node) ? [] : [npmCi(folders.node) as [string, string[], NodeJS.ProcessEnv]]),
    start: (program) => [process.execPath, [program]],
    pins: { file: 'package.json', version: (name) => new RegExp(`"${name}": "(?:npm:.*@)?([\\d.]+)"`) },
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
    pins: { file: 'requirements.txt', version: (name) => new RegExp(`^${name}==([\\d.]+)$`, 'm') },
  },
  {
    name: 'go',
    folder: folders.go,
    probe: ['go', ['version']],
    needs: 'go',
    install: () => [['go', ['build', '-o', '.bin/', './...']]],
    start: (program) => [join(folders.go, '.bin', program), []],
    pins: { file: 'go.mod', version: (name) => new RegExp(`${name} v([\\d.]+)`) },
  },
  {
    name: 'rust',
    folder: folders.rust,
    probe: ['cargo', ['--version']],
    needs: 'cargo',
    install: () => [['cargo', ['build', '--quiet', '--locked', '--target-dir', '.target']]],
    start: (program) => [join(folders.rust, '.target/debug', program), []],
    pins: { file: 'Cargo.toml', version: (name) => new RegExp(`^${name} = .*?"([\\d.]+)"`, 'm') },
  },
  {
    name: 'java',
    folder: folders.java,
    probe: ['sh', ['-c', 'java -version && mvn -version']],
    needs: 'java with mvn',
    install: () => ['boot4', 'boot3'].map((profile) => ['mvn', ['-B', '-q', '-ntp', `-P${profile}`, 'compile']]),
    start: (profile) => ['java', ['-cp', `.target/${profile}/classes:.target/${profile}/dependency/*`, 'app.App']],
    pins: { file: 'pom.xml', version: (name) => new RegExp(`<!-- ${name} --><boot>([\\d.]+)`) },
  },
]

/** Installs the libraries of a toolchain. Returns why they cannot be run. */
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
  return pins.version(name).exec(readFileSync(join(folder, pins.file), 'utf8'))?.[1] ?? 'unknown'
}
