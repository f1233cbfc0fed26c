import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOutbound } from '#lib/http/outbound'
import { makeAssertionKey } from '#lib/testing/oauth/assertions'
import { clientWith } from '#lib/testing/oauth/authorize-values'
import { makeDns } from '#lib/testing/relay/zone'
import { openClientKeys } from './client-keys.ts'

const [first, second] = await Promise.all([makeAssertionKey('first'), makeAssertionKey('second')])
const setOf = (...keys: { publicJwk: object }[]) => ({ keys: keys.map(({ publicJwk }) => publicJwk) })

/** An app that publishes `document`; each fetch waits for `held`. */
function setUp() {
  const app = { document: setOf(first) as unknown, held: Promise.resolve() }
  const clock = { now: new Date() }
  const fetched: string[] = []
  const getJson = async (url: string) => {
    fetched.push(url)
    await app.held
    return app.document
  }
  const clientKeys = openClientKeys({ getJson, now: () => clock.now })
  const registration = { jwks_uri: 'https://app.example/jwks' }
  const client = clientWith({ id: 'robot', kind: 'assertion', profile: 'fapi2', registration })
  return {
    app,
    client,
    fetched,
    later: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000)
    },
    kids: async (kid: string, of = client) => (await clientKeys.find(of, kid)).keys.map((key) => key.kid),
  }
}

describe('an attack on the cache of published keys', () => {
  const madeUp = () => randomUUID()

  it('with 200 made-up kids at once causes one fetch, and none in the next minute', async () => {
    const { kids, fetched, later } = setUp()
    for (const seconds of [0, 59]) {
      later(seconds)
      expect(
        new Set(await Promise.all(Array.from({ length: 200 }, async () => (await kids(madeUp())).length))),
      ).toEqual(new Set([0]))
      expect(fetched).toHaveLength(1)
    }
  })

  it('with made-up kids delays no request whose key is known, while the fetch hangs', async () => {
    const { app, kids, fetched, later } = setUp()
    await kids('first')
    later(60)
    const { promise, resolve } = Promise.withResolvers<void>()
    app.held = promise
    const strangers = Array.from({ length: 200 }, () => kids(madeUp()))
    expect(await kids('first')).toEqual(['first'])
    expect(fetched).toHaveLength(2)
    resolve()
    await Promise.all(strangers)
  })

  it('through more apps than it holds removes the oldest ones', async () => {
    const { kids, client, fetched } = setUp()
    const of = (index: number) => ({ ...client, id: `app-${index}` })
    for (let index = 0; index <= 2000; index++) await kids('first', of(index))
    expect(fetched).toHaveLength(2001)
    await kids('first', of(2000))
    expect(fetched).toHaveLength(2001)
    await kids('first', of(0))
    expect(fetched).toHaveLength(2002)
  })

  it('by a clock that is set back does not keep a withdrawn key', async () => {
    const { app, kids, later } = setUp()
    later(3600)
    expect(await kids('first')).toEqual(['first'])
    app.document = setOf(second)
    later(-3600)
    expect(await kids('first')).toEqual([])
  })

  it('by a set of 101 keys does not reach the last one', async () => {
    const { app, kids } = setUp()
    const named = Array.from({ length: 101 }, (_, index) => ({ ...first.publicJwk, kid: `kid-${index}` }))
    app.document = { keys: named }
    expect([await kids('kid-99'), await kids('kid-100')]).toEqual([['kid-99'], []])
  })
})

describe('a hostile server at a jwks_uri', () => {
  const set = JSON.stringify(setOf(first))
  it.each<[string, (response: ServerResponse) => void, string | RegExp]>([
    ['redirects', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /redirect \(302\)/],
    ['never answers', () => undefined, /time limit/],
    ['drips', (response) => response.write(set.slice(0, 20)), /cut off|time limit/],
    ['sends more than 64 KiB', (response) => response.end(`${set}${' '.repeat(65_536)}`), /more than 65536 bytes/],
    ['sends a page', (response) => response.end('<!doctype html>'), 'the answer is not JSON'],
    ['nests 30,000 arrays', (response) => response.end(`{"keys":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), ''],
    [
      'nests 10,000 objects in a key',
      (response) => response.end(`{"keys":[{"kty":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}]}`),
      '',
    ],
    [
      'plants members of the prototype',
      (response) => response.end('{"__proto__":{"keys":[]},"constructor":1}'),
      /JWK set/,
    ],
    [
      'sends another status with good keys',
      (response) => response.writeHead(203).end(set),
      'the answer has status 203',
    ],
  ])('that %s gives no key and a reason, and its keys a minute later when it recovers', async (_name, act, reason) => {
    let answer = act
    const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const outbound = openOutbound({ evaluation: true, allow: [], resolver: makeDns({}).resolver, patience: 1000 })
    const clock = { now: new Date() }
    const { find } = openClientKeys({ getJson: outbound.getJson, now: () => clock.now })
    const jwks_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const client = clientWith({ id: 'robot', kind: 'assertion', registration: { jwks_uri } })
    const { keys, problem } = await find(client, 'first')
    expect(keys).toEqual([])
    expect(problem ?? '').toMatch(reason)
    answer = (response) => void response.end(set)
    clock.now = new Date(clock.now.getTime() + 60_000)
    expect((await find(client, 'first')).keys).toHaveLength(1)
  })
})
