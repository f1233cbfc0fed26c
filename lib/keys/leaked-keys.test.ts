import { decodeProtectedHeader } from 'jose'
import { expect, it } from 'vitest'
import { keyStore } from '#lib/db/keys/key-store'
import { kinds } from '#lib/testing/databases/databases'
import { openPostern } from '#lib/testing/process/postern'
import { replaceLeakedKeys, rotateSigningKeysNow } from './rotate-signing-keys.ts'
import { openSigningKeys } from './signing-keys.ts'

it.each(kinds)('refuses everything that a leaked key signed, on %s', async (kind) => {
  const { context, clock, close } = await openPostern({ kind })
  try {
    const { keys } = context.oauth
    const needs = { store: keyStore(context.database.prisma), secrets: context.secrets, now: context.now }
    const tokens = await Promise.all([keys.sign('JWT', { sub: 'x' }), keys.sign('JWT', { sub: 'x' }, 'RS256')])
    expect(await replaceLeakedKeys(needs)).toBe(true)
    clock.now = new Date(clock.now.getTime() + 6_000)
    for (const token of tokens) {
      expect(await keys.verify('JWT', token)).toBeUndefined()
      expect(await keys.verifyHint(token)).toBeUndefined()
    }
    expect(await keys.verify('JWT', await keys.sign('JWT', { sub: 'y' }))).toEqual({ sub: 'y' })
    expect(await keys.published()).toHaveLength(2)
  } finally {
    await close()
  }
})

it('ends the leaked keys although a rotation makes the next key first', async () => {
  const { context, clock, close } = await openPostern()
  try {
    const { keys } = context.oauth
    const needs = { store: keyStore(context.database.prisma), secrets: context.secrets, now: context.now }
    const tokens = await Promise.all([keys.sign('JWT', { sub: 'x' }), keys.sign('JWT', { sub: 'x' }, 'RS256')])
    let isRotated = false
    const insertKey: typeof needs.store.insertKey = async (key) => {
      if (!isRotated) await rotateSigningKeysNow(needs)
      isRotated = true
      return needs.store.insertKey(key)
    }
    expect(await replaceLeakedKeys({ ...needs, store: { ...needs.store, insertKey } })).toBe(true)
    clock.now = new Date(clock.now.getTime() + 6_000)
    for (const token of tokens) expect(await keys.verifyHint(token)).toBeUndefined()
    expect(await keys.verify('JWT', await keys.sign('JWT', { sub: 'y' }))).toEqual({ sub: 'y' })
  } finally {
    await close()
  }
})

it('accepts a hint of a key that is no longer published, for hints alone', async () => {
  const { context, clock, close } = await openPostern()
  try {
    const { keys } = context.oauth
    const needs = { store: keyStore(context.database.prisma), secrets: context.secrets, now: context.now }
    const token = await keys.sign('JWT', { sub: 'x' }, 'RS256')
    await rotateSigningKeysNow(needs)
    clock.now = new Date(clock.now.getTime() + 17 * 86_400_000)
    expect(await keys.verify('JWT', token)).toBeUndefined()
    expect(await keys.verifyHint(token)).toEqual({ sub: 'x' })
  } finally {
    await close()
  }
})

it('reads one retired key for a hint that names it, and no key for a hostile hint', async () => {
  const { context, clock, close } = await openPostern({ kind: 'postgresql' })
  try {
    const store = keyStore(context.database.prisma)
    const asked: string[] = []
    const findRetired: typeof store.findRetired = (kid, now) => {
      asked.push(kid)
      return store.findRetired(kid, now)
    }
    const needs = { store: { ...store, findRetired }, secrets: context.secrets, now: context.now }
    const keys = await openSigningKeys(needs, undefined)
    const token = await keys.sign('JWT', { sub: 'x' })
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await rotateSigningKeysNow(needs)
      clock.now = new Date(clock.now.getTime() + 17 * 86_400_000)
    }
    expect(await keys.verifyHint(token)).toEqual({ sub: 'x' })
    const { kid } = decodeProtectedHeader(token)
    expect(asked).toEqual([kid])
    const headOf = (header: unknown) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const kids = [
      '',
      '\0',
      'k'.repeat(42),
      `${'k'.repeat(42)}\0`,
      '\ud800',
      7,
      null,
      {},
      ['k'.repeat(43)],
      'k'.repeat(9000),
    ]
    const hostile = [
      ...kids.map((one) => headOf({ alg: 'ES256', typ: 'JWT', kid: one })),
      headOf(null),
      headOf([]),
      '%',
      '',
    ]
    for (const head of hostile) expect(await keys.verifyHint(`${head}.e30.AAAA`)).toBeUndefined()
    expect(asked).toEqual([kid])
    expect(
      await keys.verifyHint(`${headOf({ alg: 'ES256', typ: 'JWT', kid: 'k'.repeat(43) })}.e30.AAAA`),
    ).toBeUndefined()
  } finally {
    await close()
  }
})
