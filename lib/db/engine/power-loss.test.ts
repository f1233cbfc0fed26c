import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'
import { makeChance } from '#lib/testing/oauth/chance'
import { Disk, type DiskEvent, type Luck, readDiskLog } from '#lib/testing/shim/disk-log'
import { buildShim } from '#lib/testing/shim/shim'
import { openDatabase } from './client.ts'

const rounds = process.env.FAULTS === '1' ? 30 : 2
const seed = Date.now() % 2 ** 32

let faults: Awaited<ReturnType<typeof buildShim>>
beforeAll(async () => {
  faults = await buildShim()
}, 600_000)

/** Runs the writer on a migrated database. Returns the file before it, and everything that it did to its files. */
async function recordWriter(synchronous?: string) {
  const scratch = mkdtempSync(join(tmpdir(), 'postern-power-'))
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }))
  const [folder, log] = [join(scratch, 'data'), join(scratch, 'log')]
  mkdirSync(folder)
  const before = readFileSync((await freshUrl('sqlite')).slice('file:'.length))
  writeFileSync(join(folder, 'postern.db'), before)
  const args = ['lib/testing/shim/writer.ts', folder, String(rounds), ...(synchronous ? [synchronous] : [])]
  const env = { ...faults({ folder, log }), PATH: process.env.PATH } as unknown as NodeJS.ProcessEnv
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return { before, events: readDiskLog(log), state: join(scratch, 'state') }
}

type Recorded = Awaited<ReturnType<typeof recordWriter>>

/** Cuts the power before and after each fsync and after each acknowledgement. Returns what was wrong afterwards. */
async function cutEverywhere({ before, events, state }: Recorded, lucks: Luck[]) {
  const disk = new Disk(new Map([['postern.db', before]]))
  const acknowledged: string[] = []
  const problems: string[] = []
  let cuts = 0
  for (const [at, event] of events.entries()) {
    if (event.name === 'acknowledged') acknowledged.push(...event.data.toString().trimEnd().split('\n'))
    else disk.take(event)
    if (!isBoundary(event, events[at + 1])) continue
    for (const luck of lucks) {
      cuts++
      const found = await findProblem(disk.afterCut(luck), acknowledged, state)
      if (found) problems.push(`event ${at}: ${found}`)
    }
  }
  return { problems, cuts, acknowledged: acknowledged.length }
}

/** Keeps half of the sectors that were not synced, and most of them. */
function some(): Luck[] {
  const chance = makeChance(seed)
  return [{ keeps: () => chance.below(2) === 0 }, { keeps: () => chance.below(8) > 0 }]
}

const isBoundary = (event: DiskEvent, next: DiskEvent | undefined) =>
  event.kind === 'S' || next?.kind === 'S' || event.name === 'acknowledged' || next === undefined

/** Opens the files that a power cut left. Returns what is wrong with them. */
async function findProblem(files: Map<string, Buffer>, acknowledged: string[], folder: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  // SQLite makes the shared memory again, which no power cut preserves.
  for (const [name, bytes] of files) if (!name.endsWith('-shm')) writeFileSync(join(folder, name), bytes)
  const database = await openDatabase(`file:${folder}/postern.db`)
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const { driver } = database.sqlite
  // This database is thrown away, so that its end need not wait for a disk.
  driver.pragma('synchronous = OFF')
  try {
    const integrity = driver.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') return `damaged: ${integrity}`
    const names = new Set(driver.prepare('SELECT name FROM "Lease"').pluck().all() as string[])
    const missing = acknowledged.find((name) => !names.has(name))
    if (missing) return `${missing} was acknowledged and is missing`
    const half = [...names].find((name) => /^pair.*-a$/.test(name) && !names.has(name.replace(/-a$/, '-b')))
    return half && `${half} without the other row of its transaction`
  } finally {
    await database.close()
  }
}

it('keeps every acknowledged write when the power is cut at any fsync', { timeout: 600_000 }, async () => {
  const recorded = await recordWriter()
  // The thread flushes the file after each of its checkpoints, and SQLite after each complete checkpoint.
  const flushes = recorded.events.filter(({ kind, name }) => kind === 'S' && name === 'postern.db')
  expect(flushes.length).toBeGreaterThan(rounds)
  const { problems, cuts, acknowledged } = await cutEverywhere(recorded, ['none', 'all', ...some()])
  expect(problems, `seed ${seed}`).toEqual([])
  expect(acknowledged).toBe(20 + 5 * rounds)
  expect(cuts).toBeGreaterThan(4 * 4 * rounds)
})

// Without a round after the first checkpoint, the writer closes the database while the thread still flushes.
it.each([
  ['while it has work', 0, '2'],
  ['while it is being ended', 500, '0'],
])(
  'ends at once when a flush of the thread fails %s, and a start finds every acknowledged write',
  async (_, noFdatasync, rounds) => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-power-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'postern.db'), readFileSync((await freshUrl('sqlite')).slice('file:'.length)))
    const env = { ...faults({ folder, noFdatasync }), PATH: process.env.PATH } as unknown as NodeJS.ProcessEnv
    const ended = spawnSync(process.execPath, ['lib/testing/shim/writer.ts', folder, rounds], { env, encoding: 'utf8' })
    expect(ended.signal, ended.stderr).toBe('SIGKILL')
    expect(ended.stderr).toContain('The disk did not write the database')
    const acknowledged = readFileSync(join(folder, 'acknowledged'), 'utf8').trimEnd().split('\n')
    const files = readdirSync(folder).map((name): [string, Buffer] => [name, readFileSync(join(folder, name))])
    expect(await findProblem(new Map(files), acknowledged, join(folder, 'state'))).toBeUndefined()
  },
)

it('finds the lost writes of a database that syncs too rarely', { timeout: 600_000 }, async () => {
  const { problems } = await cutEverywhere(await recordWriter('NORMAL'), ['none'])
  expect(problems.join('\n')).toContain('was acknowledged and is missing')
})
