import { expect, it } from 'vitest'
import { keyStore } from '#lib/db/keys/key-store'
import { kinds } from '#lib/testing/process/databases'
import { openPostern } from '#lib/testing/process/postern'
import { replaceLeakedKeys, rotateSigningKeysNow } from './rotate-signing-keys.ts'

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
