import { afterEach, describe, expect, it } from 'vitest'
import { askRaw, closeFrontDoors, openFrontDoor } from '#lib/testing/process/front-door'
import { routeTable } from './route-table.ts'

afterEach(closeFrontDoors)

describe('the route table', () => {
  const templates = [
    '/',
    '/a',
    '/a/{}',
    '/a/{}/b',
    '/a/new/b',
    '/a/{}/b/{}',
    '/a/{}/b/new',
    '/a/old/c/{}',
    '/a/{}/c/{}/d',
    '/x/{}',
    '/api/v1/{...}',
    '/api/v1/new',
  ]
  const table = routeTable(Object.fromEntries(templates.map((template) => [template, {}])))

  it.each([
    ['/', '/'],
    ['/a', '/a'],
    ['/a/1', '/a/{}'],
    ['/a/new', '/a/{}'],
    ['/a/1/b', '/a/{}/b'],
    ['/a/new/b', '/a/new/b'],
    ['/a/new/b/2', '/a/{}/b/{}'],
    ['/a/1/b/new', '/a/{}/b/new'],
    ['/a/old/c/2', '/a/old/c/{}'],
    ['/a/old/c/2/d', '/a/{}/c/{}/d'],
    ['/a/%2F/b', '/a/{}/b'],
    ['/x/__proto__', '/x/{}'],
    ['/api/v1/a', '/api/v1/{...}'],
    ['/api/v1/a/b//c', '/api/v1/{...}'],
    ['/api/v1/new', '/api/v1/new'],
    ['/api/v1/new/b', '/api/v1/{...}'],
  ])('finds for %s the template %s', (path, template) => {
    expect(table.find(path)?.template).toBe(template)
  })

  it.each([
    '',
    '/a/',
    '/a//b',
    '/a/1/',
    '/a/1/b/',
    '/a/1/c',
    '/a/1/b/2/3',
    '/api/v1',
    '/api/v1/',
    '/b',
    '/__proto__',
    `/x${'/y'.repeat(8000)}`,
  ])('finds nothing for %.20j', (path) => expect(table.find(path)).toBeUndefined())
})

describe('a request', () => {
  it.each([
    'OPTIONS * HTTP/1.1',
    'GET //evil.example/ HTTP/1.1',
    'GET http://evil.example/ HTTP/1.1',
    'GET /%zz HTTP/1.1',
    'GET /a%00b HTTP/1.1',
    'GET /a\\b HTTP/1.1',
    'GET /endpoint?name=é HTTP/1.1',
    'NONSENSE',
  ])('is answered 400 if unreadable: %s', async (line) => {
    const { port } = await openFrontDoor()
    expect(await askRaw(port, `${line}\r\nHost: localhost:3000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/)
  })

  it('keeps characters in its query that a browser does not encode', async () => {
    const { ask } = await openFrontDoor()
    expect((await ask("/endpoint?a=x\\y&b=it's|{}[]^`")).text).toContain('a=x\\\\y&b=it')
  })

  it('is answered 431 if its headers exceed 32 KiB', async () => {
    const { port } = await openFrontDoor()
    const line = `GET / HTTP/1.1\r\nHost: localhost:3000\r\nX-Long: ${'a'.repeat(33_000)}\r\n\r\n`
    expect(await askRaw(port, line)).toMatch(/^HTTP\/1\.1 431/)
  })

  it('is answered 413 if its form exceeds 64 KiB, with a declared length or in chunks', async () => {
    const { ask } = await openFrontDoor()
    const body = 'a'.repeat(64 * 1024 + 1)
    expect((await ask('/endpoint', { method: 'POST', body })).status).toBe(413)
    const chunked = await ask('/endpoint', { method: 'POST', body, headers: { 'transfer-encoding': 'chunked' } })
    expect(chunked.status).toBe(413)
    expect((await ask('/endpoint', { method: 'POST', body: body.slice(1) })).text).toBe('65536')
  })
})

describe('the Host header', () => {
  it.each([
    ['repeated', 'GET /endpoint HTTP/1.1', ['Host: localhost:3000', 'Host: localhost:3000']],
    ['repeated with another value', 'GET /endpoint HTTP/1.1', ['Host: localhost:3000', 'hOST: localhost:3001']],
    ['repeated in a health check', 'GET /healthz HTTP/1.1', ['Host: localhost:3000', 'Host: evil.example']],
    ['absent', 'GET /endpoint HTTP/1.1', []],
    ['absent in HTTP/1.0', 'GET /endpoint HTTP/1.0', []],
    ['empty', 'GET /endpoint HTTP/1.1', ['Host:']],
    ['a list', 'GET /endpoint HTTP/1.1', ['Host: localhost:3000, localhost:3001']],
    ['it has a user', 'GET /endpoint HTTP/1.1', ['Host: localhost:3000@evil.example']],
    ['it has a path', 'GET /endpoint HTTP/1.1', ['Host: localhost:3000/x']],
    ['it has a space', 'GET /endpoint HTTP/1.1', ['Host: localhost :3000']],
    ['beside an absolute target', 'GET http://localhost:3000/endpoint HTTP/1.1', ['Host: localhost:3000']],
    ['beside another absolute target', 'GET http://localhost:3001/endpoint HTTP/1.1', ['Host: localhost:3000']],
  ])('leads to 400 if %s', async (_, line, headers) => {
    const { port } = await openFrontDoor()
    expect(await askRaw(port, `${[line, ...headers].join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/)
  })

  it('is checked after a hundred other headers', async () => {
    const { port } = await openFrontDoor()
    const many = Array.from({ length: 98 }, (_, at) => `X-${at}: 1\r\n`).join('')
    const ask = (more: string) => askRaw(port, `GET /endpoint HTTP/1.1\r\nHost: localhost:3000\r\n${many}${more}\r\n`)
    expect(await ask('')).toMatch(/^HTTP\/1\.1 200/)
    expect(await ask('Host: evil.example\r\n')).toMatch(/^HTTP\/1\.1 400/)
    expect(await ask(`X-A: 1\r\nX-B: 1\r\nHost: evil.example\r\n`)).toMatch(/^HTTP\/1\.1 431/)
  })

  it('may be absent in a health check of HTTP/1.0', async () => {
    const { port } = await openFrontDoor()
    expect(await askRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200/)
  })

  it('leads to 421 if it names another host, also from this machine', async () => {
    const { ask } = await openFrontDoor()
    for (const host of ['rebound.example:3001', '127.0.0.1:3001', '[::1]:3001'])
      expect((await ask('/', { host })).status).toBe(421)
  })
})
