import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'
import { freePorts } from '#lib/testing/process/free-ports'
import { makeDns } from '#lib/testing/relay/zone'
import { explain } from './explain.ts'
import { printable, printableJson } from './printable.ts'
import { runCommandLine } from './run.ts'

it('prints the same for help and --help, for all commands or one', async () => {
  const said = async (...words: string[]) => (await setUp().cli(words)).stdout
  expect(await said('help')).toBe(await said('--help'))
  expect(await said('help', 'apply')).toBe(await said('apply', '--help'))
  expect(await said('help', 'apply')).toContain('apply FILE')
})

it('prints --help to stdout with every command', async () => {
  const { stdout, stderr, code } = await setUp().cli(['--help'])
  expect([stderr, code]).toEqual(['', 0])
  for (const usage of ['apply FILE [--dry-run]', 'doctor', 'user avatar USERNAME FILE', 'app secret add ID'])
    expect(stdout).toContain(usage)
})

it('prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { cli } = setUp()
  expect((await cli(['--version'])).stdout).toBe(`${version}\n`)
  expect((await cli(['--version', '--json'])).answer()).toEqual({ version })
})

it.each([
  [[]],
  [['aply', 'x.json']],
  [['app']],
  [['apply']],
  [['apply', 'a', 'b']],
  [['apply', 'a', '--dryrun']],
  [['doctor', '--dry-run']],
])('answers %j as wrong usage: help on stderr, nothing on stdout, exit 2', async (args) => {
  const { stdout, stderr, code } = await setUp().cli(args)
  expect([stdout, code]).toEqual(['', 2])
  expect(stderr).toContain('Usage: ')
})

it('names invalid settings on stderr, exit 1', async () => {
  const { stdout, stderr, code } = await setUp({ ISSUER: 'https://id.example.org/' }).spawnCli(['user', 'list'])
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr).toContain('ISSUER must be a bare origin')
})

it('answers an unreachable database with one sentence that names DATABASE_URL without its password', async () => {
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

it('answers a file that is not a database with one sentence that names DATABASE_URL', async () => {
  const { save } = setUp()
  const file = save('x'.repeat(5000), 'no.db')
  const { stderr, code } = await setUp({ DATABASE_URL: `file:${file}` }).spawnCli(['app', 'list'])
  expect(code).toBe(1)
  expect(stderr).toBe(
    `Database: file:${file}; issuer: http://localhost:3000\nThe database of DATABASE_URL (file:${file}) is not an SQLite database, or is damaged. Check the path, or restore a backup.\n`,
  )
})

it('prints one JSON value on stdout, and exits 0 or 1', async () => {
  const { spawnCli, dataDir } = setUp()
  const done = await spawnCli(['apply', '-'], '{"teams": [{"id": "acme", "name": "Acme"}]}')
  expect([done.code, done.answer().changes.length]).toEqual([0, 1])
  const target = `Database: file:${dataDir}/postern.db; issuer: http://localhost:3000\n`
  expect(done.stderr).toBe(`${target}+ team acme\n1 change applied.\n`)
  const refused = await spawnCli(['apply', '-'], '{"teams": [{"id": "acme"}]}')
  expect([refused.code, refused.answer()]).toEqual([
    1,
    { problems: [{ path: 'teams[0].name', message: 'is missing' }] },
  ])
  expect(await spawnCli(['aply'])).toMatchObject({ code: 2, stdout: '' })
})

/** Runs a command line as if stdout were a terminal. */
async function onTerminal(words: string[], stdin = '', env: Record<string, string> = { DATA_DIR: setUp().dataDir }) {
  const said = { stdout: '', stderr: '' }
  const code = await runCommandLine(words, {
    env,
    now: new Date(),
    random: randomBytes,
    resolver: makeDns({}).resolver,
    readStdin: async () => Buffer.from(stdin),
    stdout: (part) => (said.stdout += part),
    stderr: (part) => (said.stderr += part),
    isTerminal: true,
  })
  return { code, ...said }
}

const garden = JSON.stringify({
  teams: [
    {
      id: 'garden',
      name: 'The Garden',
      apps: [
        {
          client_id: 'garden-web',
          name: 'Garden Web',
          kind: 'confidential',
          redirect_uris: ['https://garden.example/cb'],
        },
      ],
    },
  ],
})

it('prints a table on a terminal, and JSON alone with --json', async () => {
  const { code, stdout, stderr } = await onTerminal(['user', 'list'])
  expect([code, stdout]).toEqual([0, 'username\n'])
  expect(stderr).toMatch(/^Database: file:.*postern\.db; issuer: http:\/\/localhost:3000\n$/)
  expect(await onTerminal(['user', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

it('prints a list on a terminal, with the secret in bold', async () => {
  const { stdout } = await onTerminal(['apply', '-'], garden)
  const [list, secret] = stdout.split('\n\n    ')
  expect(list).toMatch(
    /^\+ team garden\n\+ app garden-web\n\+ secret garden-web\n3 changes applied\.\n\nThe client secret of garden-web\. It is shown once/,
  )
  expect(secret?.startsWith('\x1b[1m')).toBe(true)
  expect(secret?.slice(4)).toMatch(/^[A-Za-z0-9_-]{43}.\[0m\n$/)
  const env = { DATA_DIR: setUp().dataDir, NO_COLOR: '1' }
  expect((await onTerminal(['apply', '-'], garden, env)).stdout).not.toContain('\x1b')
})

it.each([
  [['apply', '-'], garden],
  [['invite', 'create'], ''],
])('does not print the secret of %j on stderr', async (words, stdin) => {
  const { stdout, stderr } = await setUp().cli(words, stdin)
  const { code, secrets = {} } = JSON.parse(stdout)
  for (const secret of [code, ...Object.values(secrets)].filter(Boolean)) expect(stderr).not.toContain(secret)
})

const hostile = /[^\P{Cc}\n]|\u202e/u

it('escapes control characters of a name, on a terminal and in JSON', async () => {
  const { stderr } = await setUp().cli(['user', 'disable', 'a\u001b[2J\u009b\u202eb'])
  expect(stderr).not.toMatch(hostile)
  expect(printable('a\u001b[2J\u009b\u202eb\tc\n')).toBe('a\\u001b[2J\\u009b\\u202eb\tc\n')
  const value = { name: '\u009b\u202e\n' }
  expect(JSON.parse(printableJson(value))).toEqual(value)
  expect(printableJson(value)).not.toMatch(hostile)
})

it.each([
  [['usr', 'list'], 'There is no command "usr list". Did you mean user list?'],
  [['aply', 'x.json'], 'There is no command "aply x.json". Did you mean apply?'],
  [['app', 'secrets', 'add', 'x'], 'Did you mean app secret add?'],
  [['apply', 'x', '--dryrun'], 'There is no option --dryrun. Did you mean --dry-run?'],
  [['keys', 'retire', '-Rz9'], 'There is no option -Rz9. If -Rz9 is the KID, write -- before it.'],
])('answers %j with the hint: %s', async (words, hint) => {
  const { stderr, code } = await setUp().cli(words)
  expect([stderr.split('\n')[0], code]).toEqual([expect.stringContaining(hint), 2])
})

it('lists the commands of a group', async () => {
  const { stdout } = await setUp().cli(['user', '--help'])
  expect(stdout).toContain('user list')
  expect(stdout).not.toContain('app list')
  expect((await setUp().cli(['user'])).stderr).not.toContain('app list')
})

it('answers an unexpected fault with one sentence, without possible secrets', () => {
  const fault = new Error(`Invalid invocation:\n\n${'x'.repeat(50)} of ada@example.org`)
  expect(explain(fault)).toBe('Something went wrong that should not have: [secret] of [address]')
})
