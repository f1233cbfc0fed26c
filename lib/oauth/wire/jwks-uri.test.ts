import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assertionClaims, assertionForm, makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import { asking, ask as askToAuthorize } from '#lib/testing/oauth/authorize'
import { refusal } from '#lib/testing/oauth/tokens'
import { callback, openPostern, type Postern } from '#lib/testing/process/postern'

const [first, second, rsa] = await Promise.all([
  makeAssertionKey('first'),
  makeAssertionKey('second'),
  makeAssertionKey('rsa', 'PS256'),
])

/** The server of the app, which publishes its keys. */
const published = { keys: [] as object[], status: 200, fetches: 0 }
const server = createServer((_, response) => {
  published.fetches++
  response.writeHead(published.status).end(JSON.stringify({ keys: published.keys }))
})

let postern: Postern
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const jwks_uri = `http://127.0.0.1:${port}/jwks`
  const app = { kind: 'assertion', redirect_uris: [callback], scopes: ['openid'] }
  const apps = [
    { ...app, client_id: 'published', name: 'Published', profile: 'oidc', jwks_uri },
    { ...app, client_id: 'strict', name: 'Strict', jwks_uri },
    { ...app, client_id: 'closed', name: 'Closed', jwks_uri: 'http://127.0.0.1:1/jwks' },
    { ...app, client_id: 'signer', name: 'Signer', profile: 'oidc', jwks_uri },
  ]
  postern = await openPostern({ provision: { teams: [{ id: 'acme', name: 'Acme', apps }], people: [] } })
})
afterAll(async () => {
  await postern.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  // Expires the keys that an earlier test fetched.
  postern.later(3600)
  Object.assign(published, { keys: [first.publicJwk], status: 200, fetches: 0 })
})

/** Authenticates an app at the revocation endpoint; returns 200 or the refusal. */
async function ask(id: string, { kid, privateKey } = first, alg = 'ES256') {
  const claims = assertionClaims(id, postern.context.config.issuer, postern.clock.now)
  const assertion = await signJwt(claims, { alg, kid }, privateKey)
  const answer = await postern.revoke(
    { token: 'x', ...assertionForm(assertion, id) },
    { 'x-postern-client': randomUUID() },
  )
  return answer.status === 200 ? '200' : refusal(Promise.resolve(answer))
}
const refused = '401 invalid_client'

describe('an app with jwks_uri (RFC 7591 §2; OpenID Connect Core §10.1)', () => {
  it('authenticates with a published key, which is fetched once', async () => {
    expect([await ask('published'), await ask('published'), published.fetches]).toEqual(['200', '200', 1])
  })

  it('rotates: "the signer can begin using a new key by periodically adding it" (Core §10.1.1)', async () => {
    expect(await ask('published')).toBe('200')
    published.keys.push(second.publicJwk)
    postern.later(60)
    expect(await ask('published', second)).toBe('200')
    published.keys.shift()
    expect(await ask('published')).toBe('200')
    postern.later(600)
    expect([await ask('published'), await ask('published', second)]).toEqual([refused, '200'])
  })

  it('causes one fetch a minute with made-up kids, also eight at once', async () => {
    const madeUp = () => ask('published', { ...first, kid: randomUUID() })
    expect(await Promise.all(Array.from({ length: 8 }, madeUp))).toEqual(Array(8).fill(refused))
    expect(published.fetches).toBe(1)
    postern.later(60)
    await Promise.all(Array.from({ length: 8 }, madeUp))
    expect(published.fetches).toBe(2)
  })

  it('keeps its keys for an hour while they cannot be fetched', async () => {
    expect(await ask('published')).toBe('200')
    published.status = 503
    postern.later(3599)
    expect(await ask('published')).toBe('200')
    postern.later(1)
    expect(await ask('published')).toBe(refused)
  })

  it('uses the algorithms of its profile alone', async () => {
    published.keys.push(rsa.publicJwk)
    expect([await ask('published', rsa, 'PS256'), await ask('strict', rsa, 'PS256')]).toEqual(['200', refused])
    expect(await ask('strict')).toBe('200')
  })

  it('is not authenticated by a key of the same kid that it did not publish', async () => {
    const stranger = await makeAssertionKey('first')
    expect(await ask('published', stranger)).toBe(refused)
  })

  it('reads in its recent failures why its keys could not be fetched', async () => {
    expect(await ask('closed')).toBe(refused)
    await expect
      .poll(() => postern.failures('closed'))
      .toMatchObject([
        {
          reason: 'no key with this kid is registered, and the keys at jwks_uri could not be fetched',
          detail: expect.stringContaining('ECONNREFUSED'),
        },
      ])
  })

  it('signs request objects with a published key (RFC 9101 §6.2)', async () => {
    const { issuer } = postern.context.config
    const exp = Math.floor(postern.clock.now.getTime() / 1000) + 60
    const claims = { ...asking, client_id: 'signer', scope: 'openid', iss: 'signer', aud: issuer, exp }
    const sign = (by: typeof first) => signJwt(claims, { alg: 'ES256', kid: by.kid }, by.privateKey)
    const send = async (request: string) => askToAuthorize(postern.context, { client_id: 'signer', request })
    expect((await send(await sign(first))).accepted).toMatchObject({ clientId: 'signer' })
    expect((await send(await sign(second))).returned).toMatchObject({ error: 'invalid_request_object' })
  })
})
