import { describe, expect, it } from 'vitest'
import { makeAssertionKey } from '#lib/testing/oauth/assertions'
import { clientWith } from '#lib/testing/oauth/authorize-values'
import { openClientKeys } from './client-keys.ts'

const [first, second, rsa] = await Promise.all([
  makeAssertionKey('first'),
  makeAssertionKey('second'),
  makeAssertionKey('rsa', 'PS256'),
])
const uri = 'https://app.example/jwks'
const setOf = (...keys: { publicJwk: object }[]) => ({ keys: keys.map(({ publicJwk }) => publicJwk) })

/** An app that publishes `document`; `fails` is a fault of the fetch, and each fetch waits for `held`. */
function setUp() {
  const app = { document: setOf(first) as unknown, fails: undefined as string | undefined, held: Promise.resolve() }
  const clock = { now: new Date() }
  const fetched: string[] = []
  const getJson = async (url: string) => {
    fetched.push(url)
    await app.held
    if (app.fails) throw new Error(app.fails)
    return app.document
  }
  const clientKeys = openClientKeys({ getJson, now: () => clock.now })
  const client = clientWith({ id: 'robot', kind: 'assertion', profile: 'fapi2', registration: { jwks_uri: uri } })
  return {
    app,
    client,
    fetched,
    clientKeys,
    later: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000)
    },
    kids: async (kid: string, of = client) => (await clientKeys.find(of, kid)).keys.map((key) => key.kid),
    problem: async (kid: string) => (await clientKeys.find(client, kid)).problem,
  }
}

describe('the keys at a jwks_uri', () => {
  it('are fetched once for ten minutes', async () => {
    const { kids, fetched, later } = setUp()
    expect(await kids('first')).toEqual(['first'])
    later(599)
    expect(await kids('first')).toEqual(['first'])
    expect(fetched).toEqual([uri])
    later(1)
    await kids('first')
    expect(fetched).toHaveLength(2)
  })

  it('are not fetched for an app without the address', async () => {
    const { kids, client, fetched } = setUp()
    for (const registration of [{}, { jwks_uri: '' }])
      expect(await kids('first', { ...client, registration })).toEqual([])
    expect(fetched).toEqual([])
  })

  it('are fetched for an unknown kid, at most once a minute', async () => {
    const { app, kids, fetched, later } = setUp()
    await kids('first')
    app.document = setOf(first, second)
    expect(await kids('second')).toEqual([])
    later(59)
    for (let n = 0; n < 20; n++) expect(await kids(`made-up-${n}`)).toEqual([])
    expect(fetched).toHaveLength(1)
    later(1)
    expect(await kids('second')).toEqual(['second'])
    expect(fetched).toHaveLength(2)
  })

  it('are fetched once for eight requests at the same time, which all find them', async () => {
    const { app, kids, fetched } = setUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    app.held = promise
    const asked = Array.from({ length: 8 }, () => kids('first'))
    resolve()
    expect(await Promise.all(asked)).toEqual(Array(8).fill(['first']))
    expect(fetched).toHaveLength(1)
  })

  it('are used for an hour while fetches fail, with one fetch a minute', async () => {
    const { app, kids, fetched, later, problem } = setUp()
    await kids('first')
    app.fails = 'no answer'
    later(3599)
    for (let n = 0; n < 5; n++) expect(await kids('first')).toEqual(['first'])
    expect([fetched.length, await problem('first')]).toEqual([2, 'no answer'])
    later(1)
    expect(await kids('first')).toEqual([])
    later(60)
    app.fails = undefined
    expect(await kids('first')).toEqual(['first'])
    expect(await problem('first')).toBeUndefined()
  })

  it('are refused once the app withdraws them, ten minutes later at most', async () => {
    const { app, kids, later } = setUp()
    await kids('first')
    app.document = setOf(second)
    later(600)
    expect(await kids('first')).toEqual([])
    app.document = { keys: [] }
    later(600)
    expect(await kids('second')).toEqual([])
  })

  it('are fetched again from a new address, and for another profile', async () => {
    const { app, kids, client, fetched } = setUp()
    app.document = setOf(first, rsa)
    expect(await kids('rsa')).toEqual(['rsa'])
    expect(await kids('rsa', { ...client, profile: 'standard' })).toEqual([])
    await kids('first', { ...client, registration: { jwks_uri: `${uri}/new` } })
    expect(fetched).toEqual([uri, uri, `${uri}/new`])
  })

  it('are apart for two apps with one address', async () => {
    const { kids, client, fetched } = setUp()
    expect(await kids('first')).toEqual(['first'])
    expect(await kids('first', { ...client, id: 'other' })).toEqual(['first'])
    expect(fetched).toHaveLength(2)
  })

  it('leave out those that cannot be used: private, unknown, weak or without a kid (RFC 7517 §5)', async () => {
    const { app, kids } = setUp()
    const { kid: _, ...nameless } = first.publicJwk
    const unusable = [null, 7, {}, { kty: 'oct', k: 'AA', kid: 'mac' }, nameless, { ...first.publicJwk, d: 'x' }]
    app.document = { keys: [...unusable, { ...first.publicJwk, use: 'enc' }, second.publicJwk] }
    expect([await kids('second'), await kids('first'), await kids('mac')]).toEqual([['second'], [], []])
  })

  it.each([null, [], 'keys', 7, {}, { keys: {} }, { keys: null }])(
    'are none in %j, which counts as a failed fetch',
    async (document) => {
      const { app, kids, problem } = setUp()
      app.document = document
      expect(await kids('first')).toEqual([])
      expect(await problem('first')).toBe('the answer is not a JWK set')
    },
  )

  it('are not fetched while a registered key has the kid', async () => {
    const { kids, client, fetched } = setUp()
    const registered = { ...client, keys: [{ kid: 'second', jwk: second.publicJwk }] }
    expect([await kids('second', registered), fetched.length]).toEqual([['second'], 0])
    expect(await kids('first', registered)).toEqual(['first'])
  })

  it('are all returned without a kid', async () => {
    const { app, client, clientKeys } = setUp()
    app.document = setOf(first, second)
    expect((await clientKeys.find(client, undefined)).keys.map(({ kid }) => kid)).toEqual(['first', 'second'])
  })

  it('may share a kid; all of that name are returned (RFC 7517 §4.5)', async () => {
    const { app, kids } = setUp()
    app.document = { keys: [first.publicJwk, { ...rsa.publicJwk, kid: 'first' }] }
    expect(await kids('first')).toEqual(['first', 'first'])
  })
})
