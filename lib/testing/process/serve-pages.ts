import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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
    ...usual(),
    ask: (path: string, headers: Sent = {}, method = 'GET', signal?: AbortSignal) =>
      ask({ port: portOf(server), path, method, headers: { host: 'localhost:3001', ...headers }, signal }),
  }
  beforeEach(async () => {
    // Real seconds would pass while 200 requests are answered.
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    Object.assign(pages, usual())
    const findRemembered: SignInStore['findRemembered'] = async (known) => {
      await pages.beforeLookUp()
      return known.flatMap(({ personId }) => pages.people.filter(({ id }) => id === personId))
    }
    const site = { config, ...sealer, random, signIn: { findRemembered } }
    const answer = makeAnswerPage((incoming, outgoing) => render(pages, incoming, outgoing), true, site)
    let requests = 0
    server = await listen({ host: '127.0.0.1', port: 0 }, (incoming, outgoing) => {
      requests += 1
      incoming.headers['x-request-id'] = `request-${requests}`
      if (incoming.headers['x-test-local']) incoming.headers[localHeader] = '1'
      outgoing.setHeader('x-request-id', `request-${requests}`)
      pages.connection = incoming.socket
      pages.answering = answer(incoming, outgoing, `request-${requests}`, () => pages.isTroubled)
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    server.close()
    server.closeAllConnections()
  })
  return pages
}

const usual = () => ({
  /** The headers of each rendering. */
  renderings: [] as Sent[],
  /** The address of each rendering. */
  addresses: [] as string[],
  /** The answer of the next renderings, instead of the page. */
  instead: {} as { status?: number; headers?: Sent; html?: string },
  isTroubled: false,
  /** The people in the database. */
  people: [] as Remembered[],
  /** Runs before each look-up of people. */
  beforeLookUp: async (): Promise<unknown> => undefined,
  /** Runs after each rendering has begun. */
  whileRendering: async (): Promise<unknown> => undefined,
  /** The connection and the answer of the latest request. */
  connection: undefined as Socket | undefined,
  answering: Promise.resolve(),
})

const config = readConfig({})

async function render(pages: ReturnType<typeof usual>, { headers, url }: IncomingMessage, outgoing: ServerResponse) {
  const { instead, renderings } = pages
  const sent = { ...(headers as Sent) }
  renderings.push(sent)
  pages.addresses.push(url ?? '')
  const call = `${renderings.length}`
  await pages.whileRendering()
  const nonce = call.padStart(22, 'n')
  outgoing.statusCode = instead.status ?? 200
  const own = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(config, nonce), ...instead.headers }
  for (const [name, value] of Object.entries(own)) outgoing.setHeader(name, value)
  const words = JSON.stringify({ ...sent, 'x-request-id': undefined, cookie: undefined, url, call })
  outgoing.end(instead.html ?? `<html><body>${words}<script data-keep nonce="${nonce}"></script></body></html>`)
}

async function ask({ signal, ...options }: RequestOptions) {
  const sent = request({ ...options, ...(signal && { signal }) })
  sent.end()
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.on('response', resolve).on('error', reject),
  )
  const html = await text(answer)
  const [, nonce] = /nonce="(\S+?)"/.exec(html) ?? []
  const same = html.replaceAll(String(nonce), '')
  return { status: answer.statusCode, headers: answer.headers, html, nonce, same }
}
