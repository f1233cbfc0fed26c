import { expect, it } from 'vitest'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

const day = 86_400_000

type Key = { algorithm: string; state: string }

/** Returns the states of the ES256 keys, and checks that the RS256 keys have the same. */
function statesOf(keys: Key[]): string[] {
  const [es, rs] = ['ES256', 'RS256'].map((name) =>
    keys.flatMap(({ algorithm, state }) => (algorithm === name ? [state] : [])),
  )
  expect(rs).toEqual(es)
  return es ?? []
}

/** Creates a database with the first key, which the first start of the server makes. */
async function setUpKeys() {
  const line = setUp()
  await (await openContext(readConfig({ DATA_DIR: line.dataDir, LOG_LEVEL: 'silent' }))).close()
  const start = Date.now()
  const at = (days: number) => new Date(start + days * day)
  const states = async (days: number) => statesOf((await line.cli(['keys', 'list'], '', at(days))).answer())
  const first = (await line.cli(['keys', 'list'])).answer().find((key: Key) => key.algorithm === 'ES256')
  return { ...line, at, states, kid: first.kid as string }
}

it('lists the first key as current', async () => {
  const { states } = await setUpKeys()
  expect(await states(0)).toEqual(['current'])
})

it('creates one next key, which signs after two weeks of notice', async () => {
  const { cli, at, states } = await setUpKeys()
  const { answer } = await cli(['keys', 'rotate'], '', at(0))
  expect(statesOf(answer())).toEqual(['next', 'current'])
  const again = await cli(['keys', 'rotate'], '', at(1))
  expect([statesOf(again.answer()).length, again.stderr]).toEqual([2, expect.stringContaining('no other was made')])
  expect(await states(14.1)).toEqual(['current', 'retired'])
  expect(await states(16.1)).toEqual(['current'])
})

it('creates one key when three commands run at once', async () => {
  const { spawnCli, states } = await setUpKeys()
  await Promise.all([1, 2, 3].map(() => spawnCli(['keys', 'rotate'])))
  expect(await states(0)).toEqual(['next', 'current'])
})

it('retires a key only after its successor signs and its tokens have expired', async () => {
  const { cli, at, kid } = await setUpKeys()
  // A kid may begin with a hyphen; without `--`, the command line would read it as an option.
  const retire = (days: number, ...more: string[]) => cli(['keys', 'retire', ...more, '--', kid], '', at(days))
  expect((await retire(0)).stderr).toContain('cli keys rotate')
  await cli(['keys', 'rotate'], '', at(0))
  for (const days of [0, 13, 14.1, 14.9]) {
    const { stdout, stderr, code } = await retire(days)
    expect([stdout, code]).toEqual(['', 1])
    expect(stderr).toContain('may be valid until')
  }
  expect((await retire(15.5, '--now')).stderr).toContain('--now is not possible')
  expect((await retire(15.5)).answer()).toHaveLength(3)
  expect((await retire(15.6)).stderr).toContain('There is no key')
})

it.each(['', 'x', '-x', 'x'.repeat(100_000)])('refuses to retire %.20j', async (kid) => {
  const { cli } = await setUpKeys()
  const { stdout, code, stderr } = await cli(['keys', 'retire', '--', kid])
  expect([stdout, code]).toEqual(['', 1])
  expect(stderr.length).toBeLessThan(600)
})

it('refuses to rotate with another master key, or before the first start', async () => {
  const { dataDir } = await setUpKeys()
  const SECRET_KEY = Buffer.from('seven and twenty wickets, or so.').toString('base64url')
  const other = setUp({ DATABASE_URL: `file:${dataDir}/postern.db`, SECRET_KEY })
  expect((await other.cli(['keys', 'rotate'])).stderr).toContain('SECRET_KEY is not the key of this database')
  expect((await setUp().cli(['keys', 'rotate'])).stderr).toContain('the first start makes one')
})

it('replaces every key at once, after a confirmation', async () => {
  const { cli, kid, states } = await setUpKeys()
  const { stdout, stderr, code } = await cli(['keys', 'replace'])
  expect([stdout, code, stderr]).toEqual(['', 1, expect.stringContaining('--yes')])
  const { answer } = await cli(['keys', 'replace', '--yes'])
  expect(answer().map((key: Key & { kid: string }) => [key.state, key.kid === kid])).toEqual([
    ['current', false],
    ['current', false],
  ])
  expect(await states(0.1)).toEqual(['current'])
})

it('changes nothing in a dry run, and says what would happen', async () => {
  const { cli, at, kid } = await setUpKeys()
  const dry = async (days: number, ...args: string[]) => {
    const before = (await cli(['keys', 'list'], '', at(days))).answer()
    const { answer, stderr } = await cli(['keys', ...args], '', at(days))
    expect(answer()).toEqual(before)
    return stderr
  }
  expect(await dry(0, 'rotate', '--dry-run')).toContain('would be published at once')
  expect(await dry(0, 'replace', '--dry-run')).toContain('0 people sign in again to 0 apps')
  expect(await dry(0, 'replace', '--dry-run', '--yes')).toContain('Nothing is changed yet')
  await cli(['keys', 'rotate'], '', at(0))
  expect(await dry(1, 'rotate', '--dry-run')).toContain('no other would be made')
  expect((await cli(['keys', 'retire', '--dry-run', '--', kid], '', at(13))).code).toBe(1)
  expect(await dry(15.5, 'retire', '--dry-run', '--', kid)).toContain('would no longer be published')
})
