import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { beginEpoch } from '#lib/db/restore/begin-epoch'
import type { Secrets } from '#lib/oauth/context'
import type { Authorization, RefreshFinding } from '#lib/oauth/store'
import { type Kind, kinds } from '#lib/testing/databases/databases'
import { refusal, setUpTokens } from '#lib/testing/oauth/tokens'
import { basicAuth, secret } from '#lib/testing/process/postern'
import { writeRefreshToken } from './refresh-token.ts'
import { isAheadOfBackup } from './restored-chain.ts'

const day = 86_400_000

type Tokens = Awaited<ReturnType<typeof setUpTokens>>

/** Puts the authorizations back into the state of `backup`, as a restore does, and begins an epoch. */
async function restore({ context: { database }, clock }: Tokens, backup: Backup, days = 30): Promise<void> {
  for (const { id, ...row } of backup.rows) await database.prisma.authorization.update({ where: { id }, data: row })
  const restoredAt = new Date()
  const until = new Date(restoredAt.getTime() + days * day)
  await beginEpoch(database.prisma, { id: randomUUID(), backupAt: backup.at, restoredAt, until })
  clock.now = new Date(restoredAt.getTime() + 1)
}

async function backUp({ context: { database } }: Tokens) {
  return { at: new Date(), rows: await database.prisma.authorization.findMany() }
}
type Backup = Awaited<ReturnType<typeof backUp>>

/** Rotates a token `times` times; returns all tokens of the family, the given one first. */
async function rotate({ refresh }: Pick<Tokens, 'refresh'>, token: string, times: number): Promise<string[]> {
  const family = [token]
  for (let at = 0; at < times; at++) {
    const answer = await refresh(family.at(-1) as string)
    expect(answer.status).toBe(200)
    family.push((await answer.json()).refresh_token)
  }
  return family
}

/** Opens a Postern with families that rotated twice before a backup and `lost` times after it, and restores it. */
async function setUpRestored({ kind = 'sqlite', families = 1, lost = 3, days = 30, env = {} }: Scene = {}) {
  const postern = await setUpTokens({ kind, env: { REFRESH_RETRY_SECONDS: '0', ...env } })
  const before: string[][] = []
  for (let at = 0; at < families; at++) before.push(await rotate(postern, (await postern.tokens()).refresh_token, 2))
  const backup = await backUp(postern)
  const all: string[][] = []
  for (const family of before)
    all.push([...family.slice(0, -1), ...(await rotate(postern, family.at(-1) as string, lost))])
  await restore(postern, backup, days)
  return { ...postern, postern, backup, families: all, family: all[0] as string[] }
}
type Scene = { kind?: Kind; families?: number; lost?: number; days?: number; env?: Record<string, string> }

const idOf = (token: string) => token.slice('rt_'.length, token.indexOf('.'))

it.each(kinds)('accepts the newest token of every family after a restore, and goes on, on %s', async (kind) => {
  const { postern, families } = await setUpRestored({ kind, families: 5, lost: 4 })
  for (const family of families) await rotate(postern, family.at(-1) as string, 3)
})

it.each(kinds)('revokes the family on an ancestor of the token in the backup, on %s', async (kind) => {
  const { refresh, families } = await setUpRestored({ kind, families: 2 })
  const [first = [], second = []] = families
  for (const [family, ancestor] of [
    [first, first[0]],
    [second, second[1]],
  ] as const) {
    expect(await refusal(refresh(ancestor as string))).toBe('400 invalid_grant')
    expect(await refusal(refresh(family.at(-1) as string))).toBe('400 invalid_grant')
  }
})

it('goes on with the token of the backup itself', async () => {
  const { postern, family } = await setUpRestored()
  await rotate(postern, family[2] as string, 2)
})

it('refuses a forged token and the secret of another family, and revokes nothing', async () => {
  const { postern, refresh, context, families } = await setUpRestored({ families: 2 })
  const [one = [], two = []] = families
  const newest = one.at(-1) as string
  const [, secretOfTwo, tagOfTwo] = (two.at(-1) as string).split('.')
  const otherKey = { all: () => [Buffer.alloc(32, 9)], current: () => Buffer.alloc(32, 9) }
  const forged = writeRefreshToken(otherKey, { authorizationId: idOf(newest), secret: 'A'.repeat(43) })
  for (const wrong of [forged, `rt_${idOf(newest)}.${secretOfTwo}.${tagOfTwo}`, `${newest.slice(0, -1)}_`])
    expect(await refusal(refresh(wrong))).toBe('400 invalid_grant')
  expect(await context.database.prisma.authorization.count({ where: { revokedAt: { not: null } } })).toBe(0)
  await rotate(postern, newest, 1)
})

it('revokes the family when the app and a thief both hold lost tokens', async () => {
  const { refresh, family } = await setUpRestored({ lost: 4 })
  const [stolen, newest] = [family[3] as string, family.at(-1) as string]
  const gained = await (await refresh(stolen)).json()
  expect(await refusal(refresh(newest))).toBe('400 invalid_grant')
  expect(await refusal(refresh(gained.refresh_token))).toBe('400 invalid_grant')
})

it('treats a replay as outside an epoch once the app has refreshed', async () => {
  const { refresh, postern, family } = await setUpRestored({ lost: 4 })
  const [, next] = await rotate(postern, family.at(-1) as string, 1)
  expect(await refusal(refresh(family[3] as string))).toBe('400 invalid_grant')
  expect(await refusal(refresh(next as string))).toBe('400 invalid_grant')
})

it('detects an ancestor after a second restore, although rotations were lost in the first', async () => {
  const { refresh, postern, family } = await setUpRestored({ lost: 6 })
  const [, next] = await rotate(postern, family.at(-1) as string, 1)
  await restore(postern, await backUp(postern))
  expect(await refusal(refresh(family[0] as string))).toBe('400 invalid_grant')
  expect(await refusal(refresh(next as string))).toBe('400 invalid_grant')
})

it('revokes as before once the epoch has ended', async () => {
  const { refresh, family } = await setUpRestored({ days: -1 })
  expect(await refusal(refresh(family.at(-1) as string))).toBe('400 invalid_grant')
  expect(await refusal(refresh(family[2] as string))).toBe('400 invalid_grant')
})

it('answers 200 concurrent refreshes after a restore with the same successor', async () => {
  const { refresh, family } = await setUpRestored({ env: { REFRESH_RETRY_SECONDS: '30' } })
  const answers = await Promise.all(Array.from({ length: 200 }, () => refresh(family.at(-1) as string)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const bodies = await Promise.all(answers.map((answer) => answer.json()))
  expect(new Set(bodies.map((body) => body.refresh_token)).size).toBe(1)
})

it('refuses the newest token of another app, and revokes nothing', async () => {
  const { postern, refresh, family } = await setUpRestored()
  const foreign = basicAuth('acme-mail', `${secret}!`)
  expect(await refusal(refresh(family.at(-1) as string, {}, foreign))).toBe('400 invalid_grant')
  await rotate(postern, family.at(-1) as string, 1)
})

it('counts an accepted token', async () => {
  const { postern, family, context } = await setUpRestored()
  await rotate(postern, family.at(-1) as string, 1)
  expect(await context.metrics.restoredRefreshes.get()).toMatchObject({ values: [{ value: 1 }] })
})

it.each([
  ['the newest token goes on', 6, 200],
  ['an ancestor revokes', 0, 400],
])('with a new master key and the previous one, %s', async (_, position, status) => {
  const before = await setUpRestored({ lost: 0 })
  const env = {
    ...(before.settings as Record<string, string>),
    SECRET_KEY: Buffer.alloc(32, 2).toString('base64url'),
    SECRET_KEY_PREVIOUS: before.settings.SECRET_KEY,
  }
  const after = await setUpTokens({ env, provision: { teams: [] } })
  const mixed = [...before.family.slice(0, -1), ...(await rotate(after, before.family.at(-1) as string, 2))]
  const backup = await backUp(after)
  const family = [...mixed.slice(0, -1), ...(await rotate(after, mixed.at(-1) as string, 2))]
  await restore(after, backup)
  expect((await after.refresh(family[position] as string)).status).toBe(status)
  const revoked = await after.context.database.prisma.authorization.count({ where: { revokedAt: { not: null } } })
  expect(revoked).toBe(status === 200 ? 0 : 1)
})

it('derives one chain at a time, because a long one takes a quarter of a second', async () => {
  const seen: string[] = []
  const decide = async (name: string) => {
    const all = () => {
      seen.push(`${name} begins`)
      return [Buffer.alloc(32, 7)]
    }
    const restored = { previousHash: 'none', rotations: 2000 }
    const authorization = { clientId: name, salt: 'salt' } as Authorization
    const finding = { authorization, currentHash: 'none', restored } as RefreshFinding
    expect(await isAheadOfBackup({ all } as unknown as Secrets, { secret: name, master: 0 }, finding)).toBe(true)
    seen.push(`${name} ends`)
  }
  await Promise.all(['one', 'two', 'three'].map(decide))
  expect(seen.indexOf('three begins')).toBeGreaterThan(seen.indexOf('one ends'))
})

it.each([
  [65_536, true],
  [65_537, false],
])('decides a chain of %i successors: %s', async (rotations, isAhead) => {
  const secrets = { all: () => [Buffer.alloc(32, 7)] } as unknown as Secrets
  const finding = {
    authorization: { clientId: 'app', salt: 'salt' },
    currentHash: 'none',
    restored: { previousHash: 'none', rotations },
  } as RefreshFinding
  expect(await isAheadOfBackup(secrets, { secret: 'one', master: 0 }, finding)).toBe(isAhead)
})
