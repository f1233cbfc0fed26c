import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig, type SettingsError } from './config.ts'
import { readSecrets } from './secret-sources.ts'

const key = Buffer.from('seven and twenty wickets, or so.').toString('base64url')
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function file(text: string, mode = 0o400): string {
  const path = join(folder, 'key')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}
/** `seconds` is the time of a command, by default more than any command here needs on a busy machine. */
const problemsOf = (given: Record<string, string>, seconds = 30) => readSecrets(given, seconds).problems

describe('a file', () => {
  it.each([
    ['without a newline', key],
    ['with a newline', `${key}\n`],
    ['with the newline of Windows', `${key}\r\n`],
  ])('gives the key %s', (_, text) => {
    const path = file(text)
    expect(readConfig({ SECRET_KEY_FILE: path }).secretKey).toBe(key)
    expect(readConfig({ SECRET_KEY: key, SECRET_KEY_PREVIOUS_FILE: path }).previousSecretKey).toBe(key)
  })

  it.each([
    ['empty', ''],
    ['longer', `${key}${key}`],
    ['two lines', `${key}\n${key}\n`],
    ['with a space', ` ${key}`],
    ['with NUL', `${key}\0`],
  ])('is refused when its text is %s, and the text is not repeated', (_, text) => {
    const problems = problemsOf({ SECRET_KEY_FILE: file(text) })
    expect(problems).toEqual([
      'SECRET_KEY_FILE must give 32 random bytes in base64url (43 characters) and nothing else.',
    ])
  })

  it('is refused when every user can read it', () => {
    const path = file(key, 0o444)
    expect(problemsOf({ SECRET_KEY_FILE: path })[0]).toContain(`can read: chmod 400 ${path}`)
  })

  it('may be readable by its group, as the credentials of systemd are', () => {
    expect(problemsOf({ SECRET_KEY_FILE: file(key, 0o440) })).toEqual([])
  })

  it.each([
    ['missing', () => join(folder, 'none'), 'cannot be read (ENOENT)'],
    ['a folder', () => folder, 'is not a file'],
    ['a device that never ends', () => '/dev/zero', 'is not a file'],
    ['large', () => file('x'.repeat(5000)), 'too large'],
  ])('is refused when it is %s', (_, path, reason) => {
    expect(problemsOf({ SECRET_KEY_FILE: path() })[0]).toContain(reason)
  })
})

describe('a command', () => {
  it('gives the key, with a pipe of the shell and its environment', () => {
    const given = { SECRET_KEY_COMMAND: 'printf "%s\\n" "$KEPT" | cat', KEPT: key, PATH: process.env.PATH ?? '' }
    expect(readConfig(given).secretKey).toBe(key)
  })

  it.each([
    ['fails', `echo ${key}; exit 3`, 'SECRET_KEY_COMMAND ended with code 3. Run it by hand to see why.'],
    ['does not exist', '/nowhere/vault', 'SECRET_KEY_COMMAND ended with code 127. Run it by hand to see why.'],
    ['is killed', 'kill -9 $$', 'SECRET_KEY_COMMAND ended with SIGKILL. Run it by hand to see why.'],
    ['prints without end', 'yes', 'SECRET_KEY_COMMAND printed more than a key.'],
    [
      'prints another text',
      'echo sorry',
      'SECRET_KEY_COMMAND must give 32 random bytes in base64url (43 characters) and nothing else.',
    ],
  ])('that %s is refused', (_, command, problem) => {
    expect(problemsOf({ SECRET_KEY_COMMAND: command, PATH: process.env.PATH ?? '' })).toEqual([problem])
  })

  it.each([
    ['does not end', 'sleep 60'],
    ['leaves a child behind', 'sleep 60 & sleep 60'],
  ])('that %s is refused after its time', (_, command) => {
    expect(problemsOf({ SECRET_KEY_COMMAND: command, PATH: process.env.PATH ?? '' }, 0.3)).toEqual([
      'SECRET_KEY_COMMAND ran longer than 0.3 seconds. Run it by hand to see why.',
    ])
  })
})

it('refuses two sources of one key, beside every other problem', () => {
  const given = { SECRET_KEY: key, SECRET_KEY_FILE: file(key), SECRET_KEY_PREVIOUS: 'short', ISSUER: 'x' }
  const problems = (() => {
    try {
      return readConfig(given) && []
    } catch (fault) {
      return (fault as SettingsError).problems
    }
  })()
  expect(problems[0]).toContain('SECRET_KEY and SECRET_KEY_FILE are set')
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['SECRET_KEY', 'ISSUER', 'SECRET_KEY_PREVIOUS'])
})

it('treats an empty variable as absent', () => {
  expect(readConfig({ SECRET_KEY: key, SECRET_KEY_FILE: '', SECRET_KEY_COMMAND: '' }).secretKey).toBe(key)
})

it('refuses a key of a file that is not random', () => {
  const production = { ISSUER: 'https://id.example.org', ACCOUNT_URL: 'https://account.example.org', ROLES: 'jobs' }
  const given = { ...production, DATA_DIR: '.data', SECRET_KEY_FILE: file('A'.repeat(43)) }
  expect(() => readConfig(given)).toThrow('SECRET_KEY is not random')
})

it('shows operators the name of the file, and neither the key nor the command', () => {
  const given = { SECRET_KEY_FILE: file(key), SECRET_KEY_PREVIOUS_COMMAND: `echo ${key}`, PATH: process.env.PATH ?? '' }
  const shown = new Map(readConfig(given).inForce.map(({ name, value }) => [name, value]))
  expect(shown.get('SECRET_KEY_FILE')).toBe(given.SECRET_KEY_FILE)
  expect([...shown.values()].join()).not.toContain(key)
})
