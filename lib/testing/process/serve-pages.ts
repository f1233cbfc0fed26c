import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Remembered, SignInStore } from '#lib/account/signed-in/session'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { random } from '#lib/crypto/random'
import { localHeader, pageHeaders } from '#lib/http/headers'
import { makeAnswerPage } from '#lib/server/front-door/pages/answer-page'
import { listen, portOf } from '#lib/server/listen'
import { readConfig } from '#lib/server/settings/config'

export type Sent = Record<string, string>
type Server = Awaited<ReturnType<typeof listen>>

export const sealer = { secrets: deriveKeys(Buffer.alloc(32)), now: () => new Date() }

/** Starts a front door with pages for each test. A page contains the headers that it was rendered from. */
export function servePages() {
  let server: Server
  const pages = {
    /** The headers of each rendering. */
    renderings: [] as Sent[],
    /** The answer of the next renderings, instead of the page. */
    instead: {} as { status?: number; headers?: Sent; html?: string },
    isTroubled: false,
    /** The people whom browsers may remember, and the error instead of them. */
    people: [] as Remembered[],
    fault: undefined as Error | undefined,
    async ask(path: string, headers: Sent = {}, method = 'GET') {
      const sent = request({ port: portOf(server), path, method, headers: { host: 'localhost:3001', ...headers } })
      sent.end()
      const answer = await new Promise<IncomingMessage>((resolve) => sent.on('response', resolve))
      const html = await text(answer)
      const [, nonce] = /nonce="(\S+?)"/.exec(html) ?? []
      const same = html.replaceAll(String(nonce), '')
      return { status: answer.statusCode, headers: answer.headers, html, nonce, same }
    },
  }
  beforeEach(async () => {
    // Real seconds would pass while 200 requests are answered.
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    Object.assign(pages, { renderings: [], instead: {}, isTroubled: false, people: [], fault: undefined })
    const config = readConfig({})
    const render = async ({ headers, url }: IncomingMessage, outgoing: ServerResponse) => {
      const { instead, renderings } = pages
      const sent = { ...(headers as Sent) }
      renderings.push(sent)
      const call = `${renderings.length}`
      const nonce = call.padStart(22, 'n')
      outgoing.statusCode = instead.status ?? 200
      const own = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(config, nonce), ...instead.headers }
      for (const [name, value] of Object.entries(own)) outgoing.setHeader(name, value)
      const words = JSON.stringify({ ...sent, 'x-request-id': undefined, cookie: undefined, url, call })
      outgoing.end(instead.html ?? `<html><body>${words}<script data-keep nonce="${nonce}"></script></body></html>`)
    }
    const findRemembered: SignInStore['findRemembered'] = async (known) => {
      if (pages.fault) throw pages.fault
      return known.flatMap(({ personId }) => pages.people.filter(({ id }) => id === personId))
    }
    const answer = makeAnswerPage(render, true, { config, ...sealer, random, signIn: { findRemembered } })
    let requests = 0
    server = await listen({ host: '127.0.0.1', port: 0 }, (incoming, outgoing) => {
      requests += 1
      incoming.headers['x-request-id'] = `request-${requests}`
      if (incoming.headers['x-test-local']) incoming.headers[localHeader] = '1'
      outgoing.setHeader('x-request-id', `request-${requests}`)
      void answer(incoming, outgoing, `request-${requests}`, () => pages.isTroubled)
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    server.close()
    server.closeAllConnections()
  })
  return pages
}
