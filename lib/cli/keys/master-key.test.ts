import { expect, it } from 'vitest'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

const [old, fresh, other] = ['old', 'fresh', 'other'].map((name) =>
  Buffer.from(name.padEnd(32, 'abcdefghijklmnopqrstuvwxyz0123456789')).toString('base64url'),
) as [string, string, string]

/** Makes a database whose four keys the old master key seals, and returns command lines with other settings. */
async function setUpSealed() {
  const { databaseUrl, dataDir } = setUp()
  const env = { DATA_DIR: dataDir, SECRET_KEY: old, LOG_LEVEL: 'silent' }
  await (await openContext(readConfig(env))).close()
  return (settings: Record<string, string>) => setUp({ DATABASE_URL: databaseUrl, ...settings }).cli
}

const countsOf = (answer: { values: { kind: string; current: number; previous: number; neither: number }[] }) =>
  answer.values
    .filter(({ current, previous, neither }) => current + previous + neither > 0)
    .map(({ kind, current, previous, neither }) => [kind, current, previous, neither])

it('shows the progress of a rotation, and finishes it', async () => {
  const cliWith = await setUpSealed()
  const before = await cliWith({ SECRET_KEY: old })(['keys', 'sealed'])
  const [[kind, count]] = countsOf(before.answer()) as [[string, number]]
  expect([kind, before.answer().advice]).toEqual(['keys that sign tokens', expect.stringContaining('no previous key')])

  const rotating = cliWith({ SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: old })
  const during = (await rotating(['keys', 'sealed'])).answer()
  expect([countsOf(during)[0], during.advice]).toEqual([
    [kind, 0, count, 0],
    expect.stringContaining('cli keys reseal'),
  ])

  const dry = await rotating(['keys', 'reseal', '--dry-run'])
  expect([dry.stderr, countsOf(dry.answer())[0]]).toEqual([
    expect.stringMatching(/\d values would be sealed again/),
    [kind, 0, count, 0],
  ])
  const done = await rotating(['keys', 'reseal'])
  expect(countsOf(done.answer())[0]).toEqual([kind, count, 0, 0])
  expect(done.answer().advice).toContain('Remove it 30 days after the last process started')
  expect((await rotating(['keys', 'reseal'])).stderr).toContain('0 values sealed again')
  expect((await cliWith({ SECRET_KEY: fresh })(['keys', 'sealed'])).code).toBe(0)
})

it('waits for refresh tokens that live longer than 30 days', async () => {
  const cliWith = await setUpSealed()
  const settings = { SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: old, REFRESH_IDLE_DAYS: '90' }
  expect((await cliWith(settings)(['keys', 'reseal'])).answer().advice).toContain('Remove it 90 days after')
})

it('fails and names a way out when no key opens a value', async () => {
  const cliWith = await setUpSealed()
  const { code, stdout, stderr } = await cliWith({ SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: other })(['keys', 'sealed'])
  expect([code, JSON.parse(stdout).advice]).toEqual([1, expect.stringContaining('cli keys replace')])
  for (const key of [fresh, other]) expect(`${stdout}${stderr}`).not.toContain(key)
})

it('makes no master key for an evaluation that has none', async () => {
  const { cli } = setUp()
  const { code, stderr } = await cli(['keys', 'sealed'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('SECRET_KEY is not the key of this database')])
})
