import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'
import { freePorts } from '#lib/testing/process/free-ports'
import { makeDns } from '#lib/testing/relay/zone'
import { explain } from './explain.ts'
import { runCommandLine } from './run.ts'

test('help is help, of everything or of one command', async () => {
  const said = async (...words: string[]) => (await setUp().cli(words)).stdout
  expect(await said('help')).toBe(await said('--help'))
  expect(await said('help', 'apply')).toBe(await said('apply', '--help'))
  expect(await said('help', 'apply')).toContain('apply FILE')
})

test('--help goes to stdout and names every command', async () => {
  const { stdout, stderr, code } = await setUp().cli(['--help'])
  expect([stderr, code]).toEqual(['', 0])
  for (const usage of ['apply FILE [--dry-run]', 'doctor', 'user avatar USERNAME FILE', 'app secret add ID'])
    expect(stdout).toContain(usage)
})

test('--version is the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { cli } = setUp()
  expect((await cli(['--version'])).stdout).toBe(`${version}\n`)
  expect((await cli(['--version', '--json'])).answer()).toEqual({ version })
})

test.each([
  [[]],
  [['aply', 'x.json']],
  [['app']],
  [['apply']],
  [['apply', 'a', 'b']],
  [['apply', 'a', '--dryrun']],
  [['doctor', '--dry-run']],
])('%j is wrong usage: help on stderr, nothing on stdout, exit 2', async (args) => {
  const { stdout, stderr, code } = await setUp().cli(args)
  expect([stdout, code]).toEqual(['', 2])
  expect(stderr).toContain('Usage: ')
})

test('settings that cannot be run with are named on stderr, exit 1', async () => {
  const { stdout, stderr, code } = await setUp({ ISSUER: 'https://id.example.org/' }).spawnCli(['user', 'list'])
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr).toContain('ISSUER must be a bare origin')
})

test('a database that cannot be reached is one sentence naming DATABASE_URL, without its password', async () => {
  const [port] = await freePorts(1)
  const { spawnCli: cli } = setUp({ DATABASE_URL: `postgresql://postern:hunter22@127.0.0.1:${port}/postern` })
  for (const args of [
    ['user', 'list'],
    ['apply', '-', '--dry-run'],
  ]) {
    const { stdout, stderr, code } = await cli(args, '{}')
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toContain(`DATABASE_URL (postgresql://postern@127.0.0.1:${port}/postern) cannot be reached`)
    expect(stderr).not.toContain('hunter22')
  }
})

test('a file that is no database is one sentence naming DATABASE_URL', async () => {
  const { save } = setUp()
  const file = save('x'.repeat(5000), 'no.db')
  const { stderr, code } = await setUp({ DATABASE_URL: `file:${file}` }).spawnCli(['app', 'list'])
  expect(code).toBe(1)
  expect(stderr).toBe(
    `The database of DATABASE_URL (file:${file}) is not an SQLite database, or is damaged. Check the path, or restore a backup.\n`,
  )
})

test('the program prints one JSON value on stdout, and exits 0 or 1', async () => {
  const { spawnCli } = setUp()
  const done = await spawnCli(['apply', '-'], '{"teams": [{"id": "acme", "name": "Acme"}]}')
  expect([done.code, done.answer().changes.length, done.stderr]).toEqual([0, 1, '+ team acme\n1 change applied.\n'])
  const refused = await spawnCli(['apply', '-'], '{"teams": [{"id": "acme"}]}')
  expect([refused.code, refused.answer()]).toEqual([
    1,
    { problems: [{ path: 'teams[0].name', message: 'is missing' }] },
  ])
  expect(await spawnCli(['aply'])).toMatchObject({ code: 2, stdout: '' })
})

test('on a terminal a person gets the text and no JSON, unless it is asked for', async () => {
  const run = async (words: string[]) => {
    const said = { stdout: '', stderr: '' }
    const code = await runCommandLine(words, {
      env: { DATA_DIR: setUp().dataDir },
      now: new Date(),
      random: randomBytes,
      resolver: makeDns({}).resolver,
      readStdin: async () => Buffer.alloc(0),
      stdout: (part) => (said.stdout += part),
      stderr: (part) => (said.stderr += part),
      isTerminal: true,
    })
    return { code, ...said }
  }
  expect(await run(['user', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'username  e-mail  name\n' })
  expect(await run(['user', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

test('a fault nobody foresaw is one sentence, without what could be secret', () => {
  const fault = new Error(`Invalid invocation:\n\n${'x'.repeat(50)} of ada@example.org`)
  expect(explain(fault)).toBe('Something went wrong that should not have: [secret] of [address]')
})
