import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { compiled, setUpCommandLine } from '#lib/testing/process/command-line'
import { freePorts } from '#lib/testing/process/free-ports'

/** Creates a working folder without data, and runs the program there without settings. */
function setUpFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'postern-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // The program looks for migrations in its working folder.
  symlinkSync(resolve('prisma'), join(folder, 'prisma'))
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const start = (args: string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [resolve('lib/cli/main.ts'), ...args], {
      cwd: folder,
      env: { ...compiled, TMPDIR: temporary, ...env } as unknown as NodeJS.ProcessEnv,
    })
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const child = start(args, env)
    child.stdin.on('error', () => undefined).end('{"teams": [{"id": "acme", "name": "Acme"}]}')
    const closed = new Promise<number | null>((settle) => child.on('close', settle))
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
    return { stdout, stderr, code }
  }
  return { folder, temporary, start, run, database: join(folder, '.data/postern.db') }
}

it.each([[['apply', '-']], [['user', 'list']], [['relay', 'keys']]])(
  'refuses to create a database that no setting names: %j',
  async (args) => {
    const { run, folder, database } = setUpFolder()
    const { stdout, stderr, code } = await run(args)
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toContain(`There is no database at file:${database}`)
    expect(stderr).toContain('--init')
    expect(existsSync(join(folder, '.data'))).toBe(false)
  },
)

it('treats an empty file, as an interrupted start leaves it, as a missing database', async () => {
  const { run, folder, database } = setUpFolder()
  mkdirSync(join(folder, '.data'))
  writeFileSync(database, '')
  expect((await run(['user', 'list'])).code).toBe(1)
})

it('creates the database with --init, and then opens it without', async () => {
  const { run, database } = setUpFolder()
  const { stderr, code } = await run(['apply', '-', '--init'])
  expect([stderr.split('\n')[0], code]).toEqual([`Database: file:${database}; issuer: http://localhost:3000`, 0])
  expect((await run(['app', 'list'])).code).toBe(0)
})

it('creates a database that a setting names', async () => {
  const { run, folder } = setUpFolder()
  expect((await run(['apply', '-'], { DATA_DIR: 'here' })).code).toBe(0)
  expect((await run(['apply', '-'], { DATABASE_URL: 'file:there/x.db' })).code).toBe(0)
  expect([existsSync(join(folder, 'here/postern.db')), existsSync(join(folder, 'there/x.db'))]).toEqual([true, true])
  expect((await run(['user', 'list'], { DATA_DIR: '' })).code).toBe(1)
})

it('names the missing database in a dry run, and does not create it', async () => {
  const { run, folder, database } = setUpFolder()
  const { stderr, code } = await run(['apply', '-', '--dry-run'])
  expect(code).toBe(0)
  expect(stderr).toContain(`Database: file:${database} (not set up yet)`)
  expect(existsSync(join(folder, '.data'))).toBe(false)
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('removes the temporary database on %s', async (signal, expected) => {
  const { start, temporary } = setUpFolder()
  // Without a database, a dry run works on a temporary one, which must be removed.
  const child = start(['apply', '-', '--dry-run'])
  const closed = new Promise<number | null>((settle) => child.on('close', settle))
  child.stdin.on('error', () => undefined)
  await new Promise((settle) => child.once('spawn', settle))
  const errors = text(child.stderr)
  child.stdin.write('{"teams": [')
  child.stdin.end('{"id": "acme", "name": "Acme"}]}')
  const watch = setInterval(() => {
    if (readdirSync(temporary).length > 0) child.kill(signal)
  }, 1)
  const code = await closed
  clearInterval(watch)
  await errors
  // The program may finish before the signal arrives; then it has removed the database itself.
  expect([expected, 0]).toContain(code)
  expect(readdirSync(temporary)).toEqual([])
})

it('names the PostgreSQL database without its password', async () => {
  const [port] = await freePorts(1)
  const { cli } = setUpCommandLine({ DATABASE_URL: `postgresql://postern:hunter22@127.0.0.1:${port}/postern` })
  const { stderr } = await cli(['user', 'list'])
  expect(stderr).toContain(`Database: postgresql://postern@127.0.0.1:${port}/postern; issuer: http://localhost:3000`)
  expect(stderr).not.toContain('hunter22')
})
