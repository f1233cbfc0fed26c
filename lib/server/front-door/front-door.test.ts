import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { textResponse } from '#lib/http/lean'
import { currentRequest } from '#lib/queue/current-request'
import { askRaw, closeFrontDoors, openFrontDoor } from '#lib/testing/process/front-door'
import type { RouteModule } from './route-table.ts'

afterEach(closeFrontDoors)

const answering = (answer: () => Response): RouteModule => ({ GET: answer })
const issuerHome = { GET: () => new Response('the page of the issuer') }

describe('the two hosts', () => {
  it('serve endpoints on the issuer only', async () => {
    const { ask } = await openFrontDoor()
    expect((await ask('/endpoint?a=1')).text).toContain('http://localhost:3000/endpoint?a=1')
    expect((await ask('/endpoint', { host: 'localhost:3001' })).status).toBe(404)
  })

  it('serve pages on the account host only', async () => {
    const { ask } = await openFrontDoor()
    expect((await ask('/account', { host: 'localhost:3001' })).text).toBe('a page')
    expect((await ask('/account')).status).toBe(404)
  })

  it('answer the root of the issuer with its page, and the root of the account host with another', async () => {
    const { ask } = await openFrontDoor({}, { '/issuer': issuerHome })
    expect((await ask('/')).text).toBe('the page of the issuer')
    expect((await ask('/?ui_locales=ja')).text).toBe('the page of the issuer')
    expect((await ask('/', { method: 'POST' })).status).toBe(405)
    expect((await ask('/', { host: 'localhost:3001' })).text).toBe('a page')
    expect((await ask('/issuer', { host: 'localhost:3001' })).status).toBe(404)
  })

  it('answer 421 to any other host, except for health checks', async () => {
    const { ask } = await openFrontDoor()
    expect((await ask('/endpoint', { host: 'evil.example' })).status).toBe(421)
    expect((await ask('/healthz', { host: '10.1.2.3' })).status).toBe(200)
  })
})

describe('a client on this machine', () => {
  const isLocal = async (env: Record<string, string>, headers: Record<string, string>) => {
    const { ask } = await openFrontDoor(env)
    return JSON.parse((await ask('/endpoint', { headers })).text).local === '1'
  }

  it('is distinguished from one behind a proxy, whatever its headers', async () => {
    expect(await isLocal({}, {})).toBe(true)
    expect(await isLocal({ TRUST_PROXY: '10.0.0.1' }, {})).toBe(true)
    for (const env of [{}, { TRUST_PROXY: '127.0.0.1' }] as Record<string, string>[])
      for (const [name, value] of [
        ['x-forwarded-for', '203.0.113.9'],
        ['x-forwarded-for', '127.0.0.1'],
        ['x-forwarded-for', 'unknown'],
        ['forwarded', 'for=127.0.0.1'],
        ['x-real-ip', '127.0.0.1'],
        ['via', '1.1 proxy'],
      ] as const)
        expect([name, value, await isLocal(env, { [name]: value, 'x-postern-local': '1' })]).toEqual([
          name,
          value,
          false,
        ])
  })
})

describe('an answer without content', () => {
  const lean = (status: number) => answering(() => textResponse('', { status, headers: {} }))
  const real = (status: number) => answering(() => new Response(null, { status }))

  it.each([204, 304])('has no Content-Length with status %i (RFC 9110 §8.6)', async (status) => {
    const { ask } = await openFrontDoor({}, { '/lean': lean(status), '/real': real(status) })
    for (const path of ['/lean', '/real'])
      expect([path, (await ask(path)).status, (await ask(path)).headers['content-length']]).toEqual([
        path,
        status,
        undefined,
      ])
  })

  it('has the length 0 with any other status', async () => {
    const { ask } = await openFrontDoor({}, { '/lean': lean(200) })
    expect((await ask('/lean')).headers['content-length']).toBe('0')
  })
})

it('answers a header that cannot be sent with the status line of an internal error', async () => {
  const broken = answering(() => textResponse('', { headers: { 'x-broken': 'a\nb' } }))
  const { port } = await openFrontDoor({}, { '/broken-header': broken })
  expect(await askRaw(port, 'GET /broken-header HTTP/1.1\r\nHost: localhost:3000\r\n\r\n')).toBe(
    'HTTP/1.1 500 Internal Server Error',
  )
})

describe('methods', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'TRACE'])(
    'answers %s to an endpoint with 405 and the allowed methods',
    async (method) => {
      const { ask } = await openFrontDoor()
      const answer = await ask('/endpoint', { method })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    },
  )

  it('answers HEAD as GET without the body', async () => {
    const { ask } = await openFrontDoor()
    const [head, get] = [await ask('/endpoint', { method: 'HEAD' }), await ask('/endpoint')]
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']])
  })
})

describe('the address of a client', () => {
  it('is taken from X-Forwarded-For of a configured proxy only', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-postern-client': '1.1.1.1' }
    const trusting = await openFrontDoor({ TRUST_PROXY: '127.0.0.1' })
    expect((await trusting.ask('/endpoint', { headers })).text).toContain('"client":"198.51.100.7"')
    const plain = await openFrontDoor()
    expect((await plain.ask('/endpoint', { headers })).text).toContain('"client":"127.0.0.1"')
  })

  it.each([
    ['203.0.113.9:1234', '203.0.113.9'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
    ['garbage', '127.0.0.1'],
    ['203.0.113.9:', '127.0.0.1'],
    ['203.0.113.9:123456', '127.0.0.1'],
    ['[203.0.113.9]', '127.0.0.1'],
    ['2001:db8::7]:443', '127.0.0.1'],
    ['fe80::1%eth0', '127.0.0.1'],
    ['9'.repeat(6000), '127.0.0.1'],
    ['[2001:db8::7]:443x', '127.0.0.1'],
    ['[]:443', '127.0.0.1'],
  ])('of the hop %.30s is %s: some proxies append the port', async (hop, client) => {
    const { ask } = await openFrontDoor({ TRUST_PROXY: '127.0.0.1' })
    const { text } = await ask('/endpoint', { headers: { 'x-forwarded-for': hop } })
    expect(JSON.parse(text).client).toBe(client)
  })
})

describe('a forged hop', () => {
  // A proxy appends its client to what that client sent. Backtracking over one of these hops took 0.7 s.
  it('of brackets and colons costs no more than another one', { timeout: 10_000 }, async () => {
    const { ask } = await openFrontDoor({ TRUST_PROXY: '127.0.0.1' })
    const headers = { 'x-forwarded-for': `[${':'.repeat(30_000)}, 203.0.113.9` }
    for (let count = 0; count < 50; count++)
      expect((await ask('/endpoint', { headers })).text).toContain('"client":"203.0.113.9"')
  })
})

describe('a client that disconnects', () => {
  const called = Promise.withResolvers<AbortSignal>()
  const wait = () => {
    called.resolve(currentRequest()?.abandoned() as AbortSignal)
    return new Promise<Response>(() => undefined)
  }

  it('aborts the signal of its request', async () => {
    const { port } = await openFrontDoor({}, { '/waiting': { GET: wait } })
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /waiting HTTP/1.1\r\nHost: localhost:3000\r\n\r\n'),
    )
    const signal = await called.promise
    expect(signal.aborted).toBe(false)
    socket.destroy()
    await once(signal, 'abort')
  })
})

describe('request ids', () => {
  it('are random', async () => {
    const { ask } = await openFrontDoor()
    const ids = [await ask('/endpoint'), await ask('/endpoint')].map(({ headers }) => String(headers['x-request-id']))
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(9)
    const shared = [...(ids[0] as string)].filter((letter, at) => letter === ids[1]?.[at]).length
    expect(shared).toBeLessThan(8)
  })

  it('differ for more requests at once than are drawn together', async () => {
    const { ask } = await openFrontDoor()
    const answers = await Promise.all(Array.from({ length: 600 }, () => ask('/endpoint')))
    const ids = new Set(answers.map(({ headers }) => headers['x-request-id']))
    expect([ids.size, [...ids].filter((id) => !/^[\w-]{12}$/.test(String(id)))]).toEqual([600, []])
  })
})

it('counts each of 200 requests once whose clients leave, with a second request behind the first', async () => {
  const called: string[] = []
  const waitForEver = (request: Request) => {
    called.push(request.url)
    return new Promise<Response>(() => undefined)
  }
  const { port, metrics } = await openFrontDoor({}, { '/never': { GET: waitForEver } })
  const request = 'GET /never HTTP/1.1\r\nHost: localhost:3000\r\n\r\n'
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request + request))
    return socket
  })
  await expect.poll(() => called).toHaveLength(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => metrics.registry.metrics()).toMatch(/route="\/never",method="GET",status="499"\} 200\n/)
  expect(await metrics.registry.metrics()).toMatch(/^postern_http_in_flight 0$/m)
})

describe('answers and records', () => {
  it('show only the request id of an internal error, and log the rest', async () => {
    const { ask, lines } = await openFrontDoor()
    const answer = await ask('/broken')
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret detail')
    expect(answer.text).toContain(answer.headers['x-request-id'])
    expect(lines.join()).toContain('secret detail')
  })

  it('count routes by template, without the query', async () => {
    const { ask, lines, metrics } = await openFrontDoor()
    await ask('/endpoint?code=very-secret-code')
    await expect.poll(() => metrics.registry.metrics()).toContain('route="/endpoint",method="GET",status="200"')
    expect(lines.join() + (await metrics.registry.metrics())).not.toContain('very-secret-code')
  })

  it('carry the security headers and the date, and no cookie', async () => {
    const { ask } = await openFrontDoor()
    const { headers } = await ask('/endpoint')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("'none'"),
    })
    expect(headers['set-cookie']).toBeUndefined()
    // Clients compare their clock with the Date header.
    expect(Date.parse(String(headers.date))).toBeGreaterThan(0)
  })
})
