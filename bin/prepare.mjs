// Prepares a fresh clone for a command: installs, generates and builds, each only when its inputs have changed. Plain
// JavaScript without dependencies, because an old Node must be able to run it before anything is installed.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withCheckoutLock } from './checkout-lock.mjs'
import { digest } from './digest.mjs'
import { broughtNodeRuns, environment, findNode } from './find-node.mjs'
import { isInstalled, npmCi } from './install.mjs'
import { run } from './run.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamps = join(root, 'node_modules/.postern')
const see = 'See the message above.'

const install = {
  name: 'install',
  label: 'installing packages (npm ci)',
  digest: () => digest(root, ['package-lock.json'], dependencyFields()),
  outputs: ['node_modules/.package-lock.json'],
  isDone: () => isInstalled(root),
  command: () => npmCi(root),
  after: () => {
    if (!broughtNodeRuns(root)) stamp('foreign-node', 'does not start here')
  },
  hint: 'Is the npm registry reachable (npm ping), and is there disk space for 1.3 GB? Then run the same command again.',
}

const generators = ['prisma/generate.mjs', 'prisma/postgresql-schema.mjs', 'prisma/smaller-client.mjs']
const generate = {
  name: 'generate',
  label: 'generating the database clients',
  digest: () => digest(root, [...generators, 'prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json']),
  // Written last, for each client.
  outputs: ['sqlite', 'postgresql'].map((kind) => `lib/db/generated/${kind}/internal/compiler.wasm`),
  command: () => [findNode(root), ['prisma/generate.mjs'], environment(root)],
  hint: see,
}

const sources = [
  'app',
  'lib',
  'messages',
  'public',
  'prisma/schema.prisma',
  'next.config.mjs',
  'proxy.ts',
  'tsconfig.json',
]
const build = {
  name: 'build',
  label: 'building the pages (next build)',
  digest: () => digest(root, [...sources, 'package.json', 'package-lock.json']),
  outputs: ['.next/BUILD_ID'],
  // Next warns about any other NODE_ENV in a build and applies it only in part.
  command: () => [
    findNode(root),
    ['node_modules/next/dist/bin/next', 'build'],
    environment(root, { NODE_ENV: 'production', POSTERN_BUILD_ID: build.digest() }),
  ],
  hint: `${see} "npm run verify" finds type errors faster.`,
}

const strip = {
  name: 'strip',
  label: 'stripping the types',
  // The stamp of the build stands for the sources, so that they are read once.
  digest: () => digest(root, ['bin/strip-types.mjs', 'prisma', 'serve.ts', 'server.ts'], readStamp(build.name)),
  // A source may have changed since the build began.
  isValid: () => isCurrent(build),
  // Written last, and removed by each build.
  outputs: ['.next/stripped/server.ts'],
  command: () => [findNode(root), ['--no-warnings', 'bin/strip-types.mjs'], environment(root)],
  hint: see,
}

/**
 * Runs the outdated steps for a command: always install and generate, and the build of the server when `build` is set.
 * `last` names what the command does afterwards, as the last of the numbered steps.
 */
export async function prepare({ build: withBuild, last }) {
  const steps = withBuild ? [install, generate, build, strip] : [install, generate]
  if (steps.every(isCurrent)) return
  const total = steps.length + (last ? 1 : 0)
  const onWait = (pid) =>
    tell(`… waiting for another command that prepares this checkout (process ${pid ?? 'unknown'})`)
  await withCheckoutLock(
    join(root, '.postern-preparing'),
    async (nameChild) => {
      for (const [index, step] of steps.entries())
        if (!isCurrent(step)) await perform(step, `${index + 1} of ${total}: ${step.label}`, nameChild)
    },
    { onWait },
  )
  if (last) tell(`… ${total} of ${total}: ${last}`)
}

/** Runs a command's `main`. An error becomes one line on stderr and exit code 1. */
export function runCommand(main) {
  process.chdir(root)
  main().catch((fault) => {
    tell(fault instanceof PreparationFailed ? fault.message : (fault?.stack ?? String(fault)))
    process.exit(1)
  })
}

export class PreparationFailed extends Error {}

function isCurrent(step) {
  if (!step.outputs.every((output) => existsSync(join(root, output)))) return false
  return readStamp(step.name) === step.digest()
}

async function perform(step, label, onStart) {
  const inputs = step.digest()
  const when = readStamp(step.name) ? 'because its inputs changed' : 'first start only'
  if (!step.isDone?.()) {
    rmSync(join(stamps, step.name), { force: true })
    const [command, args, env] = step.command()
    const { code, output, seconds } = await run(command, args, { label: `${label} (${when})`, onStart, cwd: root, env })
    if (code !== 0) throw new PreparationFailed(`${output}\n\n✗ ${step.label} failed (${code}). ${step.hint}`)
    tell(`✓ ${label} ${seconds.toFixed(1)} s`)
  }
  step.after?.()
  if (step.isValid?.() ?? true) stamp(step.name, inputs)
}

/** Returns the digest of the inputs of the last run of a step; undefined before the first. */
function readStamp(name) {
  const file = join(stamps, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function stamp(name, text) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, name), text)
}

function dependencyFields() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return JSON.stringify([
    own.dependencies,
    own.devDependencies,
    own.optionalDependencies,
    own.overrides,
    own.allowScripts,
  ])
}

function tell(line) {
  process.stderr.write(`${line}\n`)
}
