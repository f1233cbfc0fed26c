import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openOutbound } from '#lib/http/outbound'
import { openLookup } from './leaked-passwords.ts'

const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

const hash = createHash('sha1').update('a stolen password').digest('hex').toUpperCase()
const [prefix, suffix] = [hash.slice(0, 5), hash.slice(5)]

/** Starts a service that answers in this way. */
async function withService(answer: RequestListener) {
  const asked: { url: string | undefined; padding: string | string[] | undefined }[] = []
  const warnings: object[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url, padding: request.headers['add-padding'] })
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  undo.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const resolver = () => Promise.reject(new Error('no DNS'))
  const outbound = openOutbound({ evaluation: true, allow: [], resolver, patience: 300 })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`
  const isLeaked = openLookup({ url, outbound, log: { warn: (about: object) => void warnings.push(about) } })
  return { asked, warnings, isLeaked }
}

const lines = (...suffixes: string[]): RequestListener => {
  const text = ['0018A45C4D1DEF81644B54AB7F969B88D65:1', ...suffixes].join('\r\n')
  return (_, response) => response.end(text)
}

it('sends five digits of the hash, with padding, and finds the rest in the answer', async () => {
  const { asked, isLeaked } = await withService(lines(`${suffix}:42`))
  expect(await isLeaked('a stolen password')).toBe(true)
  expect(await isLeaked('another password')).toBe(false)
  expect(asked[0]).toEqual({ url: `/range/${prefix}`, padding: 'true' })
  expect(JSON.stringify(asked)).not.toContain('stolen')
})

it('reads an answer of 2,500 lines to its end', async () => {
  const others = Array.from({ length: 2500 }, (_, index) => `${String(index).padStart(35, '0')}:12345`)
  const { isLeaked, warnings } = await withService(lines(...others, `${suffix}:42`))
  expect([await isLeaked('a stolen password'), warnings]).toEqual([true, []])
})

it.each([
  ['padding', lines(`${suffix}:0`)],
  ['a part of the rest', lines(`${suffix.slice(1)}:5`)],
  ['nothing', lines()],
  ['something else', (_, response) => response.end('<html>')] as [string, RequestListener],
])('accepts a password for which the service returns %s', async (_, answer) => {
  const { isLeaked, warnings } = await withService(answer)
  expect([await isLeaked('a stolen password'), warnings]).toEqual([false, []])
})

it.each<[string, RequestListener]>([
  ['fails', (_, response) => response.writeHead(503).end()],
  ['redirects', (_, response) => response.writeHead(302, { location: '/' }).end()],
  ['never answers', () => undefined],
  ['stops in the middle', (_, response) => response.write(suffix)],
  ['answers without end', (_, response) => response.end('x'.repeat(300_000))],
  ['closes the connection', (request) => request.socket.destroy()],
])('accepts a password when the service %s, and logs no part of it', async (_, answer) => {
  const { isLeaked, warnings } = await withService(answer)
  expect(await isLeaked('a stolen password')).toBe(false)
  expect(warnings).toHaveLength(1)
  expect(JSON.stringify(warnings)).not.toContain(prefix)
})

it('looks nothing up without an address', async () => {
  const outbound = { getText: () => Promise.reject(new Error('asked')) }
  const isLeaked = openLookup({ url: undefined, outbound, log: { warn: () => undefined } })
  expect(await isLeaked('a stolen password')).toBe(false)
})
