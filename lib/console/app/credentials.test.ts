import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openApps, webApp } from '#lib/testing/console/apps'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import {
  answerKeyAddition,
  answerKeyAddress,
  answerKeyRemoval,
  answerSecretAddition,
  answerSecretRemoval,
} from './credentials.ts'

describe.each(kinds)('credentials of apps in the console on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { member, send, register, found } = openApps(postern)

  it('adds a second secret but no third, and removes one', async () => {
    const account = await member()
    const { id } = await register(account)
    const add = () => send(account, answerSecretAddition, { app: id }, 'credentials')
    const added = await Promise.all([add(), add(), add(), add()])
    expect(added.map(({ result }) => result).sort()).toEqual([
      'secret_added',
      'secret_enough',
      'secret_enough',
      'secret_enough',
    ])
    const [first] = (await found(id)).secrets
    const remove = () => send(account, answerSecretRemoval, { app: id, secret: first?.id ?? '' }, 'credentials')
    expect([(await remove()).result, (await remove()).result]).toEqual(['secret_removed', 'secret_removed'])
    expect((await found(id)).secrets).toHaveLength(1)
  })

  it('registers keys as JWK, JWK set and PEM, and never a private one', async () => {
    const account = await member()
    const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = (kid: string) => ({ ...pair().publicKey.export({ format: 'jwk' }), kid })
    const first = JSON.stringify({ keys: [jwk('k1')] })
    const { id } = await register(account, {
      shown: [...webApp.shown, 'jwks_uri'],
      kind: 'assertion',
      jwks_uri: 'https://acme.example/jwks',
    })
    const add = (key: string) => send(account, answerKeyAddition, { app: id, key }, 'credentials')
    expect((await add(first)).result).toBe('key_added')
    expect((await add(JSON.stringify(jwk('k2')))).result).toBe('key_added')
    expect((await add(String(pair().publicKey.export({ format: 'pem', type: 'spki' })))).result).toBe('key_added')
    expect((await found(id)).keys).toHaveLength(3)
    const secret = pair().privateKey
    const private1 = await add(JSON.stringify({ ...secret.export({ format: 'jwk' }), kid: 'k9' }))
    const private2 = await add(String(secret.export({ format: 'pem', type: 'pkcs8' })))
    expect([private1.result, private2.result]).toEqual(['key key_private', 'key key_private'])
    expect([private1.flash?.kept, private2.flash?.kept]).toEqual([{}, {}])
    for (const broken of ['', 'x', '{', '[]', 'null', '{"keys":[]}', '-----BEGIN PUBLIC KEY-----'])
      expect((await add(broken)).result).not.toBe('key_added')
    expect((await found(id)).keys).toHaveLength(3)
    const remove = (kid: string) => send(account, answerKeyRemoval, { app: id, kid }, 'credentials')
    expect((await remove('k1')).result).toBe('key_removed')
  })

  it('changes the address of the keys, and keeps the keys beside it', async () => {
    const account = await member()
    const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    const key = JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'k1' })
    const { id } = await register(account, { kind: 'assertion', key })
    const set = async (jwks_uri: string) =>
      (await send(account, answerKeyAddress, { app: id, jwks_uri }, 'credentials')).result
    expect(await set('ftp://acme.test/jwks')).toBe('jwks_uri rule')
    expect([await set('https://acme.example/jwks'), (await found(id)).keys.length]).toEqual(['changed', 1])
    expect((await send(account, answerKeyRemoval, { app: id, kid: 'k1' }, 'credentials')).result).toBe('key_removed')
    expect(await set('')).toBe('jwks_uri rule')
    expect((await found(id)).declaration).toMatchObject({ jwks_uri: 'https://acme.example/jwks' })
  })
})
