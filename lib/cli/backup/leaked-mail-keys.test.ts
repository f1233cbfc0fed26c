import { expect, it } from 'vitest'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { setUpRestorable } from '#lib/testing/databases/restorable'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { testKey } from '#lib/testing/process/postern'

// A setting of production, because the next pair of an evaluation signs at once.
const production = {
  ISSUER: 'https://id.invalid',
  ACCOUNT_URL: 'https://account.invalid',
  RELAY_DOMAIN: 'relay.example.org',
  OPERATOR_EMAIL: 'ops@example.org',
  SMTP_URL: 'smtp://out.invalid:587',
  SECRET_KEY: testKey,
}

type Key = { selector: string; state: string }
type Cli = ReturnType<typeof setUpCommandLine>['cli']

const keysOf = async (cli: Cli): Promise<Key[]> => (await cli(['relay', 'keys'])).answer().keys
const selectorsOf = async (cli: Cli, state: string) =>
  (await keysOf(cli)).filter((key) => key.state === state).map(({ selector }) => selector)

async function setUp(kind: (typeof kinds)[number]) {
  const line = setUpCommandLine({ ...production, DATABASE_URL: await freshUrl(kind) })
  const settle = (leaked: string[]) => {
    const lines = leaked.map((leakedKey) => JSON.stringify({ at: '2026-11-23T00:00:00.000Z', leakedKey }))
    const journal = line.save(lines.join('\n'), 'deleted')
    return line.cli(['epoch', 'begin', '--since', '2026-11-23T00:00:00Z', '--yes', '--journal', journal])
  }
  return { ...line, settle }
}

it('makes the next pair for mail when a restored backup signs with a leaked one', async () => {
  const { cli: before, target, journal, stop, settings } = await setUpRestorable({ ...production })
  const leaked = await selectorsOf(before, 'current')
  expect((await before(['backup', target])).code).toBe(0)
  await stop()
  const { cli } = setUpCommandLine({ ...settings, DELETION_JOURNAL: journal })
  expect((await cli(['relay', 'rotate', '--leaked'])).code).toBe(0)
  const restored = await cli(['restore', target, '--yes'])
  expect(restored.answer()).toMatchObject({ mail_keys_replaced: true, signing_keys_replaced: false })
  expect(restored.stderr).toContain('cli relay dns')
  expect(await selectorsOf(cli, 'current')).toEqual(leaked)
  expect(await selectorsOf(cli, 'next')).toHaveLength(2)
})

it.each(kinds)('replaces a leaked pair for mail that waits, and keeps one that did not leak, on %s', async (kind) => {
  const { cli, settle } = await setUp(kind)
  const current = await selectorsOf(cli, 'current')
  await cli(['relay', 'rotate'])
  const waiting = await selectorsOf(cli, 'next')
  expect((await settle([...current, ...waiting])).answer()).toMatchObject({ mail_keys_replaced: true })
  const next = await selectorsOf(cli, 'next')
  expect([next.length, next.filter((selector) => waiting.includes(selector))]).toEqual([2, []])
  expect((await settle([...current, ...waiting])).answer()).toMatchObject({ mail_keys_replaced: false })
  expect(await selectorsOf(cli, 'next')).toEqual(next)
})

it.each(kinds)('replaces a pair that waits when the keys leaked, on %s', async (kind) => {
  const { cli } = await setUp(kind)
  await cli(['relay', 'rotate'])
  const waiting = await selectorsOf(cli, 'next')
  expect((await cli(['relay', 'rotate', '--leaked'])).code).toBe(0)
  const next = await selectorsOf(cli, 'next')
  expect([next.length, next.filter((selector) => waiting.includes(selector))]).toEqual([2, []])
})
