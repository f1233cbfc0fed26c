import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '#lib/server/listen'
import { answerEndpoint } from './endpoint.ts'
import { Refusal } from './refuse.ts'
import type { RouteModule } from './route-table.ts'

const open: { close(): void; closeAllConnections(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

const size: RouteModule['POST'] = async (asked) => new Response(String((await asked.arrayBuffer()).byteLength))
const early = async () => new Response('early')
const kib = 1024

/** Posts a body to a route, in chunks if its length is not declared. Returns the status and the text. */
async function post(route: RouteModule, bytes: number, declared = true) {
  return postTo((await serve(route)).port, bytes, declared)
}

async function serve(route: RouteModule) {
  const server = await listen({ host: '127.0.0.1', port: 0 }, (incoming, outgoing) => {
    answerEndpoint(route, { incoming, outgoing, requestId: 'id' }, { origin: 'http://localhost', headers: {} }).catch(
      (fault) => {
        outgoing.statusCode = fault instanceof Refusal ? fault.status : 500
        for (const [name, value] of Object.entries((fault as Refusal).headers ?? {})) outgoing.setHeader(name, value)
        outgoing.end()
      },
    )
  })
  open.push(server)
  return server.address() as AddressInfo
}

function postTo(port: number, bytes: number, declared: boolean, agent?: Agent) {
  return new Promise<string>((resolve, reject) => {
    const headers = declared ? { 'content-length': bytes } : { 'transfer-encoding': 'chunked' }
    const sent = request({ port, method: 'POST', path: '/', headers, ...(agent && { agent }) }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve(`${answer.statusCode} ${text}`.trim())
    })
    sent.on('error', reject)
    sent.end(Buffer.alloc(bytes, 'x'))
  })
}

it('accepts a form of 64 KiB', async () => {
  expect(await post({ POST: size }, 64 * kib)).toBe(`200 ${64 * kib}`)
})

it.each([true, false])('accepts a body up to the limit of its route (declared length: %s)', async (declared) => {
  const route = { POST: size, bodyLimit: 200 * kib }
  expect(await post(route, 200 * kib, declared)).toBe(`200 ${200 * kib}`)
  expect(await post(route, 200 * kib + 1, declared)).toBe('413')
})

describe('a route that reads its body itself', () => {
  const mebi = 1024 * kib

  it('is called before the body arrives', async () => {
    const { port } = await serve({ POST: early, bodyLimit: mebi })
    const sent = request({ port, method: 'POST', path: '/', headers: { 'content-length': mebi } })
    sent.flushHeaders()
    const [answer] = await once(sent, 'response')
    expect(answer.statusCode).toBe(200)
    sent.destroy()
  })

  it.each([
    ['nothing', early],
    [
      'one piece',
      async (asked: Request) => {
        for await (const _ of asked.body as ReadableStream<Uint8Array>) break
        return new Response('early')
      },
    ],
  ])(
    'may answer after reading %s; the client finishes, and the connection serves the next request',
    async (_, POST) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const { port } = await serve({ POST, bodyLimit: mebi })
      for (const declared of [true, false]) expect(await postTo(port, mebi, declared, agent)).toBe('200 early')
      agent.destroy()
    },
  )
})

it('joins one-byte chunks into larger pieces', async () => {
  const bytes = 100_000
  const count: RouteModule['POST'] = async (asked) => {
    let [pieces, size] = [0, 0]
    for await (const piece of asked.body as ReadableStream<Uint8Array>) {
      pieces++
      size += piece.length
    }
    return new Response(`${size} in ${pieces < bytes / 100 ? 'few' : 'many'}`)
  }
  const { port } = await serve({ POST: count, bodyLimit: 1024 * kib })
  const socket = connect(port, '127.0.0.1')
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
  socket.end(`${head}${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`)
  let text = ''
  for await (const data of socket) text += data
  expect(text.split('\r\n\r\n')[1]).toBe(`${bytes} in few`)
})

it.each([true, false])(
  'answers 413 after it received a body over the limit of its route (declared length: %s)',
  async (declared) => {
    expect(await post({ POST: size, bodyLimit: 1024 * kib }, 3 * 1024 * kib, declared)).toBe('413')
  },
)
