import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { listen, portOf } from '#lib/server/listen'
import { compressFiles, versionOf } from './compress-files.ts'

const css = '.button{color:green}'.repeat(500)

type Compress = Parameters<typeof compressFiles>[2]
type Answer = { status: number | undefined; headers: Record<string, unknown>; body: Buffer }

/** Serves a file in two writes, as Next does. */
async function serve(
  type: string,
  { status = 200, etag = '"v1"', body = css, compress = undefined as Compress | undefined } = {},
) {
  const server = await listen({ host: '127.0.0.1', port: 0 }, (incoming, outgoing) => {
    compressFiles(incoming, outgoing, compress)
    outgoing.statusCode = status
    outgoing.setHeader('content-type', type)
    outgoing.setHeader('etag', etag)
    outgoing.setHeader('content-length', body.length)
    if (incoming.method === 'HEAD') return void outgoing.end()
    outgoing.write(body.slice(0, 100))
    outgoing.end(body.slice(100))
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (headers: Record<string, string> = { 'accept-encoding': 'gzip' }, method = 'GET', path = '/a.css?x=1') =>
    new Promise<Answer>((resolve, reject) => {
      const asked = request({ port: portOf(server), path, headers, method }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
        )
      })
      asked.on('error', reject)
      asked.end()
    })
}

it.each(['text/css; charset=UTF-8', 'application/javascript; charset=UTF-8', 'image/svg+xml'])(
  'compresses a file of the type %s',
  async (type) => {
    const get = await serve(type)
    const { headers, body } = await get()
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', etag: 'W/"v1"' })
    expect(headers['content-length']).toBe(String(body.length))
    expect(body.length).toBeLessThan(css.length / 10)
    expect(gunzipSync(body).toString()).toBe(css)
  },
)

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['xbr, x-gzip, gzip', 'gzip'],
])('answers "%s" with %s', async (accepted, encoding) => {
  const get = await serve('text/css')
  const { headers, body } = await get({ 'accept-encoding': accepted })
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
  expect(headers['content-length']).toBe(String(body.length))
  expect((encoding === 'br' ? brotliDecompressSync : gunzipSync)(body).toString()).toBe(css)
})

it.each([
  ['a page', 'text/html; charset=utf-8', 200, { 'accept-encoding': 'gzip' }],
  ['JSON', 'application/json', 200, { 'accept-encoding': 'gzip' }],
  ['an error', 'text/css', 404, { 'accept-encoding': 'gzip' }],
  ['a part of a file', 'text/css', 200, { 'accept-encoding': 'gzip', range: 'bytes=0-9' }],
  ['a browser that takes neither Brotli nor gzip', 'text/css', 200, { 'accept-encoding': 'br;q=0, gzip;q=0' }],
  ['a browser that names no encoding', 'text/css', 200, {}],
  ['an encoding without end', 'text/css', 200, { 'accept-encoding': 'x'.repeat(5000) }],
])('sends %s as it is', async (_, type, status, headers) => {
  const get = await serve(type, { status })
  const answer = await get(headers as Record<string, string>)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect([answer.status, answer.body.toString()]).toEqual([status, css])
})

it('answers HEAD without a body, and 200 requests at once', async () => {
  const get = await serve('text/css')
  expect((await get(undefined, 'HEAD')).body.length).toBe(0)
  const answers = await Promise.all(Array.from({ length: 200 }, () => get()))
  expect(new Set(answers.map(({ body }) => gunzipSync(body).toString()))).toEqual(new Set([css]))
})

it('compresses a changed file anew', async () => {
  const [before, after] = [await serve('text/css', { etag: '"old"' }), await serve('text/css', { etag: '"new"' })]
  expect([(await before()).headers.etag, (await after()).headers.etag]).toEqual(['W/"old"', 'W/"new"'])
})

it('compresses a file once, however a client spells its path', async () => {
  const body = `.once{color:green}${css}`
  let times = 0
  const compress: Compress = async (whole) => {
    times += 1
    return gzipSync(whole)
  }
  const get = await serve('text/css', { body, compress })
  const spell = (at: number) =>
    [...'styles.css'].map((letter, place) => ((at >> place) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter))
  for (let at = 0; at < 200; at++) await get(undefined, 'GET', `/${spell(at).join('')}`)
  expect(times).toBe(1)
})

it('lets a browser keep a file of the version that it asked for, and no other', async () => {
  const get = await serve('text/css')
  const cached = async (path: string) => (await get(undefined, 'GET', path)).headers['cache-control']
  expect(await cached(`/a.css?v=${versionOf(Buffer.from(css))}`)).toBe('public, max-age=31536000, immutable')
  for (const path of ['/a.css', '/a.css?v=', '/a.css?v=another']) expect(await cached(path), path).toBeUndefined()
})
