// npm test: runs every check and ends with one summary line. npm run verify: every check except the browser tests; with
// uncommitted changes, only the tests that the changes affect. Filters choose test files; those that begin with e2e/
// choose browser tests.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './find-chromium.mjs'
import { environment, findNode } from './find-node.mjs'
import { ensurePostgres } from './find-postgres.mjs'
import { prepare, root, runCommand } from './prepare.mjs'
import { run } from './run.mjs'
import { countPlaywright, countVitest, judgeRunner, summaryLine } from './summary.mjs'

const args = process.argv.slice(2)
const isFast = args.includes('--fast')
const chosen = args.filter((arg) => arg !== '--fast')
const filters = isFast && chosen.length === 0 && hasChange() ? ['--changed'] : chosen.filter((arg) => arg !== '--all')
const ofChange = filters.includes('--changed')
const browserFilters = filters.filter((filter) => filter.startsWith('e2e/'))
const unitFilters = filters.filter((filter) => !browserFilters.includes(filter))
/** These tests read files of the whole tree, so vitest cannot derive from imports when they have to run. */
const treeTests = [
  'lib/architecture',
  'lib/deploy',
  'lib/docs',
  'lib/server/settings/config',
  'lib/text/messages',
  'prisma/drift',
]
/** Counts the files that a flow enters, so no timer of another test may run in its process. */
const house = 'lib/house.test.ts'
const reports = mkdtempSync(join(tmpdir(), 'postern-test-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const fine = { passed: 1, failed: 0 }
const broken = { passed: 0, failed: 1 }

/** Returns whether the checkout has uncommitted changes. */
function hasChange() {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  return status === 0 && stdout !== ''
}

runCommand(async () => {
  const results = await allResults()
  for (const [name, { passed, failed, seconds, faults = [] }] of Object.entries(results)) {
    console.log(`${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`)
    // Repeated at the end, because a reader of the last lines of a long run needs the names.
    for (const fault of faults.slice(0, 20)) console.log(`    ${fault.replace(`${root}/`, '')}`)
  }
  const values = Object.values(results)
  // The summary must be the last line, after everything that is still in the pipe.
  process.stdout.write(`${summaryLine(values)}\n`, () => process.exit(values.some(({ failed }) => failed > 0) ? 1 : 0))
})

async function allResults() {
  const results = {}
  const stage = async (name, work) => {
    const began = Date.now()
    const result = await work().catch((fault) => {
      console.log(`\n✗ ${name}: ${fault.message}\n`)
      return broken
    })
    results[name] = { ...result, seconds: (Date.now() - began) / 1000 }
    return result
  }
  const prepared = await prepare({ build: false }).catch((fault) => fault)
  if (prepared instanceof Error) {
    await stage('preparation', () => Promise.reject(prepared))
    return results
  }
  if (filters.length === 0 || ofChange) await Promise.all([stage('lint', lint), stage('types', types)])
  if (ofChange) {
    console.log('Runs only the tests that the changes reach; npm run verify -- --all runs every test.')
    await stage('the tree', () => unit(treeTests))
    await stage('what the change reaches', () => unit([...filters, `--exclude=${house}`, '--passWithNoTests']))
    await stage('house', () => unit([house]))
  } else if (unitFilters.length > 0) {
    await stage('unit and contract', () => unit(unitFilters))
  } else if (filters.length === 0) {
    await stage('unit and contract', () => unit([`--exclude=${house}`]))
    await stage('house', () => unit([house]))
  }
  if (browserFilters.length > 0 || (!isFast && filters.length === 0)) await stage('end to end', endToEnd)
  return results
}

const lint = () => check('lint', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'])

async function types() {
  // A fresh clone has neither next-env.d.ts nor the generated route types.
  const generated = await check('route types', ['node_modules/next/dist/bin/next', 'typegen'])
  return generated.failed ? generated : check('types', ['node_modules/typescript/bin/tsc', '--noEmit'])
}

/** Runs a tool and shows its output only when it fails. */
async function check(name, command) {
  const { code, output } = await run(findNode(root), command, {
    label: name,
    cwd: root,
    env: environment(root),
    limitSeconds: 300,
  })
  if (code === 0) return fine
  console.log(`\n✗ ${name}\n${output}\n`)
  return broken
}

async function unit(which) {
  const POSTGRES_BIN = await ensurePostgres().catch((fault) => {
    // Without PostgreSQL, the tests that need it fail one by one, and all other tests still run.
    console.log(fault.message)
    return ''
  })
  const file = join(reports, 'vitest.json')
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...which,
  ]
  const env = { POSTGRES_BIN, NODE_ENV: 'test', TMPDIR: scratch(), ...(isFast ? { FUZZ_REQUESTS: '2000' } : {}) }
  return runner(command, env, file, countVitest)
}

/**
 * Returns the folder for the tests' short-lived databases: in memory when there is room, so that tests do not wait
 * for a disk.
 */
function scratch() {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > 6 * 1024 ** 3 ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

async function endToEnd() {
  await prepare({ build: true })
  const file = join(reports, 'playwright.json')
  const command = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config=e2e/playwright.config.ts',
    '--reporter=list,json',
    ...browserFilters,
  ]
  const CHROMIUM_PATH = await ensureChromium(root)
  return runner(
    command,
    { CHROMIUM_PATH, PLAYWRIGHT_JSON_OUTPUT_FILE: file, NODE_ENV: 'production' },
    file,
    countPlaywright,
  )
}

async function runner(command, extra, file, count) {
  const env = environment(root, {
    ...extra,
    // Tests start hundreds of processes and threads, which would compile the same modules each time.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/postern-compiled'),
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  })
  const { code } = await run(findNode(root), command, { show: true, cwd: root, env })
  return judgeRunner({ code, report: readIfThere(file), count, mayBeNone: command.includes('--passWithNoTests') })
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
