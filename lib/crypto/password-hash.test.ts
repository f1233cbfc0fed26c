import { argon2Sync } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { isWorstPassword } from '#lib/account/person/worst-passwords'
import { makeArgon2 } from '#lib/crypto/argon2/derive'
import { dummyVerify, hashPassword, verifyPassword } from './password-hash.ts'

it('hashes a password with argon2id at 19 MiB, 2 passes, 1 lane, and a new salt', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(two)
})

it('accepts the right password and nothing else', async () => {
  const stored = await hashPassword('correct horse')
  expect(await verifyPassword('correct horse', stored)).toEqual({ ok: true, rehash: false })
  expect(await verifyPassword('correct horse ', stored)).toEqual({ ok: false, rehash: false })
  expect(await verifyPassword('', stored)).toEqual({ ok: false, rehash: false })
})

it('treats equivalent Unicode input as the same password', async () => {
  expect((await verifyPassword('caf\u00e9 noir', await hashPassword('cafe\u0301 noir'))).ok).toBe(true)
})

it('derives at the full cost what node derives', async () => {
  const slot = globalThis as unknown as { __posternArgon2: ReturnType<typeof makeArgon2> }
  const quick = slot.__posternArgon2
  slot.__posternArgon2 = makeArgon2({ patience: 60_000 })
  try {
    const salt = Buffer.alloc(16, 7)
    const full = { message: 'correct horse', nonce: salt, memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
    const stored = `$argon2id$v=19$m=19456,t=2,p=1$${plain(salt)}$${plain(argon2Sync('argon2id', full))}`
    expect(await verifyPassword('correct horse', stored)).toEqual({ ok: true, rehash: false })
    expect(await verifyPassword('wrong horse', stored)).toEqual({ ok: false, rehash: false })
    const [, , , , ownSalt = '', ownKey] = (await hashPassword('correct horse')).split('$')
    expect(ownKey).toBe(plain(argon2Sync('argon2id', { ...full, nonce: Buffer.from(ownSalt, 'base64') })))
  } finally {
    await slot.__posternArgon2.close()
    slot.__posternArgon2 = quick
  }
})

it('accepts a hash with weaker parameters and requests a rehash', async () => {
  const salt = Buffer.alloc(16, 7)
  const weak = argon2Sync('argon2id', {
    message: 'correct horse',
    nonce: salt,
    memory: 8192,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  })
  const stored = `$argon2id$v=19$m=8192,t=1,p=1$${plain(salt)}$${plain(weak)}`
  expect(await verifyPassword('correct horse', stored)).toEqual({ ok: true, rehash: true })
  expect(await verifyPassword('wrong horse', stored)).toEqual({ ok: false, rehash: false })
})

it('throws for a stored value that is not a hash', async () => {
  await expect(verifyPassword('correct horse', 'plain text')).rejects.toThrow('PHC')
})

it('derives the same for an unknown username as for a wrong password', async () => {
  const stored = await hashPassword('correct horse')
  const { __posternArgon2: threads } = globalThis as unknown as { __posternArgon2: ReturnType<typeof makeArgon2> }
  const derive = vi.spyOn(threads, 'derive')
  expect(await dummyVerify('wrong horse')).toEqual({ ok: false, rehash: false })
  await verifyPassword('wrong horse', stored)
  const asked = derive.mock.calls.map(([work]) => work.map(({ nonce, ...rest }) => ({ ...rest, salt: nonce.length })))
  expect(asked[0]).toEqual(asked[1])
  expect(asked[0]).toMatchObject([{ message: 'wrong horse', memory: 19_456, passes: 2, salt: 16 }])
  derive.mockRestore()
})

it('recognizes the most guessed passwords in any case', () => {
  const worst = [
    'password',
    'Password1',
    '12345678',
    'QWERTYUIOP',
    'iloveyou',
    'Password2027!',
    '!!Princess7',
    'qwerty98765',
  ]
  expect(worst.filter((password) => !isWorstPassword(password))).toEqual([])
  const others = ['correct horse', 'princess-8472-1183-2271', 'my password is long', 'a7193582']
  expect(others.filter(isWorstPassword)).toEqual([])
})

const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
