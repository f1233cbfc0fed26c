import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { random } from '#lib/crypto/random'
import { listen, portOf } from '#lib/server/listen'
import { readConfig } from '#lib/server/settings/config'
import { makeAnswerPage } from './answer-page.ts'
import { versionOf } from './compress-files.ts'

const running: { close(): void; closeAllConnections(): void }[] = []
afterEach(() => {
  for (const server of running.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** Sends a page in two writes, as Next does, and returns the answer of the front door. */
async function setUp(html: string, status = 200, { location = '', isTroubled = false, method = 'GET' } = {}) {
  const write = async (_: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.statusCode = status
    outgoing.setHeader('content-type', 'text/html; charset=utf-8')
    if (location) outgoing.setHeader('location', location)
    outgoing.setHeader('link', '</a.js>; rel=preload; as=script')
    outgoing.flushHeaders()
    outgoing.write(html.slice(0, 20))
    outgoing.end(html.slice(20))
  }
  const answer = makeAnswerPage(write, true, {
    config: readConfig({}),
    secrets: deriveKeys(Buffer.alloc(32)),
    now: () => new Date(),
    random,
    signIn: { findRemembered: async () => [] },
  })
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    (incoming, outgoing) => void answer(incoming, outgoing, 'r-1', () => isTroubled),
  )
  running.push(server)
  const headers = { accept: 'text/html' }
  return fetch(`http://127.0.0.1:${portOf(server)}/page`, { method, redirect: 'manual', headers })
}

it('removes the framework’s scripts and their link header, and keeps marked scripts with their version', async () => {
  const answer = await setUp(
    '<html><head><link rel="preload" href="/a.js" as="script"></head><body>words<script src="/a.js" nonce="n"></script><script>self.x=1</script><script data-keep src="/own.js"></script></body></html>',
  )
  expect(answer.headers.get('link')).toBeNull()
  const version = versionOf(readFileSync('public/own.js'))
  expect(await answer.text()).toBe(
    `<html><head></head><body>words<script data-keep src="/own.js?v=${version}"></script></body></html>`,
  )
})

it('gives no version to text of a person that looks like a script', async () => {
  const written =
    '<p title="&lt;script data-keep src=&quot;/own.js&quot;&gt;">&lt;script data-keep src="/own.js"&gt;</p>'
  const answer = await setUp(`<html><head></head><body>${written}</body></html>`)
  expect(await answer.text()).toContain(written)
})

it.each([
  [
    'an error page that only script would fill',
    '<html id="__next_error__"><head></head><body></body></html>',
    500,
    500,
  ],
  ['a page that is not there and only script would say so', '<html id="__next_error__"><body></body></html>', 404, 404],
  [
    'a page whose inside failed after it began well',
    '<html><body>words<template data-dgst="123456"></template></body></html>',
    200,
    500,
  ],
])('shows an error page for %s', async (_, html, status, expected) => {
  const answer = await setUp(html, status)
  const text = await answer.text()
  expect(answer.status).toBe(expected)
  expect(text).toContain('r-1')
  expect(text).toContain('<h1>')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
})

it('keeps a redirect, without the body that Next adds', async () => {
  const answer = await setUp('<html id="__next_error__"><head></head><body></body></html>', 307, {
    location: '/signin?to=%2Faccount',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([307, '/signin?to=%2Faccount'])
  expect(await answer.text()).toBe('')
})

it.each([
  ['an error page', '<html id="__next_error__"><head></head><body></body></html>', 500],
  ['a page with a hole', '<html><body>words<template data-dgst="123456"></template></body></html>', 200],
])('answers 503 with a reload when %s was made while the database was unavailable', async (_, html, status) => {
  const answer = await setUp(html, status, { isTroubled: true })
  expect(answer.status).toBe(503)
  expect([answer.headers.get('retry-after'), answer.headers.get('refresh')]).toEqual(['5', '5'])
  expect(await answer.text()).toContain('isn’t available right now')
})

it('answers HEAD like GET while the database is unavailable', async () => {
  const answer = await setUp('', 500, { isTroubled: true, method: 'HEAD' })
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([503, '5', ''])
})

it('keeps a complete page and a 404 while the database is unavailable', async () => {
  expect((await setUp('<html><body>words</body></html>', 200, { isTroubled: true })).status).toBe(200)
  const missing = await setUp('<html id="__next_error__"><body></body></html>', 404, { isTroubled: true })
  expect([missing.status, missing.headers.get('refresh')]).toEqual([404, null])
})
