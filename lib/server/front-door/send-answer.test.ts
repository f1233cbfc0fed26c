import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sendAnswer } from './send-answer.ts'

type Answer = Parameters<typeof sendAnswer>[1]
type Server = { ask(...requests: string[]): Promise<string> }

const answer = (content = '{"a":1}', more: string[] = [], status = 200): Answer => ({
  status,
  fields: ['content-type', 'application/json', 'cache-control', 'no-store', ...more],
  content,
  length: String(Buffer.byteLength(content)),
})

/** Serves by `respond`. `ask` sends requests in one write and returns all bytes until the server ends the connection. */
async function serve(respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 65_000 }, respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    ask: (...requests) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(requests.join('')))
      return text(socket)
    },
  }
}

/** Serves answers by `sendAnswer`, and the same ones by Node's own functions. The last part of a path is the request id. */
async function serveBoth(answers: Record<string, Answer>): Promise<{ own: Server; nodes: Server }> {
  const pick = ({ url = '' }: IncomingMessage) => {
    const [, name = '', requestId = ''] = url.split('/')
    return { one: answers[name] ?? answer(), requestId }
  }
  const own = await serve((incoming, outgoing) => {
    const { one, requestId } = pick(incoming)
    sendAnswer({ incoming, outgoing, requestId }, one)
  })
  const nodes = await serve((incoming, outgoing) => {
    const { one, requestId } = pick(incoming)
    const { status, fields, length, content } = one
    outgoing.writeHead(status, [...fields, 'content-length', length, 'x-request-id', requestId])
    outgoing.end(incoming.method === 'HEAD' ? undefined : content)
  })
  return { own, nodes }
}

const get = (path: string, { method = 'GET', version = '1.1', more = '' } = {}) =>
  `${method} ${path} HTTP/${version}\r\nHost: localhost\r\n${more}\r\n`
const close = { more: 'Connection: close\r\n' }

const answers = {
  plain: answer(),
  long: answer('x'.repeat(100_000)),
  empty: answer(''),
  words: answer('{"name":"Zoë 王"}'),
  refused: answer('{"error":"invalid_token"}', ['www-authenticate', 'Bearer error="invalid_token"'], 401),
  failed: answer('{"a":1}', [], 400),
  other: answer('{"a":1}', ['dpop-nonce', 'n1']),
  another: answer('{"a":1}', ['dpop-nonce', 'n2']),
}

/** The two servers may answer in different seconds. */
const withoutTime = (read: string) => read.replaceAll(/^Date: .*\r\n/gm, '')

it('sends the bytes that Node would send, for every kind of request and in every order', async () => {
  const { own, nodes } = await serveBoth(answers)
  const names = Object.keys(answers)
  const kinds = [
    {},
    { method: 'HEAD' },
    { method: 'POST', more: 'Content-Length: 0\r\n' },
    { version: '1.0', more: 'Connection: keep-alive\r\n' },
    { method: 'POST', more: 'Expect: 100-continue\r\nContent-Length: 0\r\n' },
  ]
  for (const last of [close, { version: '1.0' }]) {
    const paths = [...names, ...names.toReversed()].map((name, at) => `/${name}/id${at}`)
    for (const kind of kinds) {
      const requests = [...paths.map((path) => get(path, kind)), get('/plain/last', last)]
      const [one, other] = await Promise.all([own.ask(...requests), nodes.ask(...requests)])
      expect(withoutTime(one)).toBe(withoutTime(other))
    }
  }
})

it('ends every connection whose answer says so among its own fields', async () => {
  const { own } = await serveBoth({ last: answer('{}', ['connection', 'close']) })
  for (let times = 0; times < 2; times++) expect(await own.ask(get('/last/id'))).toContain('connection: close')
})

it('ends the connection when an answer has the header `Connection: close` already', async () => {
  const { ask } = await serve((incoming, outgoing) => {
    if (incoming.url === '/last') outgoing.setHeader('connection', 'close')
    sendAnswer({ incoming, outgoing, requestId: 'id' }, answer())
  })
  const read = await ask(get('/'), get('/'), get('/last'))
  expect(read.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
  expect(read.match(/connection: close/g)).toHaveLength(1)
})

const dateFrom = async ({ ask }: Server) => /Date: (.*)\r\n/.exec(await ask(get('/a/1'), get('/a/2', close)))?.[1]

it('sends the time of each answer', async () => {
  const { own } = await serveBoth({})
  const first = await dateFrom(own)
  await expect.poll(() => dateFrom(own), { timeout: 3_000 }).not.toBe(first)
})

it('keeps no head with a time of another second, which Node may still have under load', async () => {
  // Node reads the real time.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { own } = await serveBoth({})
  const first = await dateFrom(own)
  const until = performance.now() + 3_000
  let last = first
  while (last === first && performance.now() < until) last = await dateFrom(own)
  expect(last).not.toBe(first)
})

it('sends each of many answers with its own fields', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`n${at}`, answer(`${at}`, ['x-own', `value-${at}`])]),
  )
  const { own } = await serveBoth(many)
  const asked = Array.from({ length: 400 }, (_, at) => `/n${(at * 7) % 200}/id${at}`)
  const read = await own.ask(...asked.map((path) => get(path)), get('/n0/end', close))
  const found = [...read.matchAll(/x-own: value-(\d+)\r\ncontent-length: \d+\r\nx-request-id: (\w+)\r\n/g)]
  expect(found.map(([, value, id]) => `/n${value}/${id}`)).toEqual([...asked, '/n0/end'])
})

/** Returns how often Node builds a head for answers with these further fields, in turn. All of them are of one second. */
async function headsBuilt(answers: string[][]): Promise<number> {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  let built = 0
  const { ask } = await serve((incoming, outgoing) => {
    const writeHead = outgoing.writeHead.bind(outgoing) as (...given: unknown[]) => ServerResponse
    outgoing.writeHead = (...given: unknown[]) => {
      built++
      return writeHead(...given)
    }
    sendAnswer({ incoming, outgoing, requestId: 'id' }, answer('{}', answers[Number(incoming.url?.slice(1))]))
  })
  await ask(...answers.map((_, at) => get(`/${at}`)), get('/0', close))
  // The last one ends the connection, so it has a head of its own.
  return built - 1
}

it('lets Node build the head of equal answers once', async () => {
  // In another second than Node's own text of the time, the first attempt keeps nothing.
  await expect.poll(() => headsBuilt(Array.from({ length: 20 }, () => ['x-own', 'once'])), { timeout: 5_000 }).toBe(1)
})

it.each(['x-fapi-interaction-id', 'set-cookie'])('keeps no head with %s, which is of one client', async (name) => {
  expect(await headsBuilt([name, name, name].map((own) => [own, '1']))).toBe(3)
})

it('forgets its heads after sixteen', async () => {
  const different = Array.from({ length: 17 }, (_, at) => ['x-own', `different ${at}`])
  await expect.poll(() => headsBuilt([...different, ['x-own', 'different 0']]), { timeout: 5_000 }).toBe(18)
})

it.each(['a\r\nx-planted: 1', 'a\nb', '\u0000', '王'])(
  'refuses the header value %j as Node does, whatever was sent before',
  async (value) => {
    const { ask } = await serve((incoming, outgoing) => {
      const more = incoming.url === '/bad' ? ['x-own', value] : ['x-own', 'a', 'x-planted', '1']
      try {
        sendAnswer({ incoming, outgoing, requestId: 'id' }, answer('{}', more))
      } catch {
        outgoing.writeHead(500).end()
      }
    })
    const read = await ask(get('/'), get('/bad'), get('/', close))
    expect(read.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 500', 'HTTP/1.1 200'])
  },
)

it('changes nothing about an answer that was sent already', async () => {
  const { ask } = await serve((incoming, outgoing) => {
    sendAnswer({ incoming, outgoing, requestId: 'first' }, answer())
    expect(() => sendAnswer({ incoming, outgoing, requestId: 'second' }, answer('late'))).toThrow()
  })
  const read = await ask(get('/'), get('/', close))
  expect(read).not.toContain('late')
  expect(read.match(/x-request-id: first/g)).toHaveLength(2)
})
