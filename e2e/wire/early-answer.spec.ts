import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inFull } from '../in-full.ts'
import { expect, type Provider, test } from './provider.ts'

/** Requests that are refused before their body is read, or whose body is read and refused. */
const requests = [
  'POST /oauth2/token',
  'POST /oauth2/par',
  'POST /oauth2/revoke',
  'POST /oauth2/introspect',
  'POST /userinfo',
  'POST /register',
  'PUT /oauth2/token',
  'POST /nowhere',
  'POST /.well-known/openid-configuration',
  'POST /signin/submit',
  'POST /account/profile/submit',
]

const types = ['application/x-www-form-urlencoded', 'application/json', 'text/plain', 'multipart/form-data']

/** Sends text over a plain connection to the node, and reads everything it answers. */
function openWire({ nodes: [node] }: Provider) {
  const [host, port] = node?.env.LISTEN_ISSUER?.split(':') ?? []
  const socket = connect(Number(port), host).on('error', () => undefined)
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more
  })
  return { socket, read: () => text }
}

const answersIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** A request of the same connection after the first: it must be answered, or the connection must have ended. */
const next = 'GET /.well-known/openid-configuration HTTP/1.1\r\nHost: id.postern.example\r\n\r\n'

// "Never a hung socket": RFC 9112 §9.3, a server that answers early reads the rest of the body or closes.
test.describe('RFC 9112 §9.3 Persistence: an answer before the end of the body', () => {
  for (const [size, pieces] of [
    [1, 1],
    [100_000, 1],
    [100_000, 20],
  ] as const) {
    test(`leaves no request unanswered after a body of ${size} bytes in ${pieces} writes`, async ({ provider }) => {
      const hung = await Promise.all(
        requests.flatMap((line) => types.map((type) => hangs(provider, { line, type, size, pieces }))),
      )
      expect(hung.filter((one) => one !== undefined)).toEqual([])
    })
  }

  if (inFull) {
    test('ends the connection of a body that never ends', async ({ provider }) => {
      test.setTimeout(120_000)
      const open = requests.map(async (line) => {
        const { socket } = openWire(provider)
        socket.write(headOf(provider, { line, type: types[0] ?? '', length: 1_000_000 }))
        const drip = setInterval(() => socket.write('x'), 1000)
        await Promise.race([once(socket, 'close'), sleep(60_000, undefined, { ref: false })])
        clearInterval(drip)
        const isOpen = !socket.destroyed
        socket.destroy()
        return isOpen ? line : undefined
      })
      expect((await Promise.all(open)).filter((one) => one !== undefined)).toEqual([])
    })
  }
})

type Asked = { line: string; type: string; size: number; pieces: number }

/** Sends a request and the next one on the same connection. Returns the request if one of them hangs. */
async function hangs(provider: Provider, asked: Asked): Promise<string | undefined> {
  const { line, type, size, pieces } = asked
  const { socket, read } = openWire(provider)
  const closed = once(socket, 'close')
  socket.write(headOf(provider, { line, type, length: size }))
  for (let at = 0; at < pieces; at++) socket.write('x'.repeat(size / pieces))
  socket.write(next)
  const isDone = async () => {
    while (answersIn(read()).length < 2) await sleep(20)
  }
  const outcome = await Promise.race([
    closed.then(() => 'closed'),
    isDone().then(() => 'answered'),
    sleep(15_000, 'hung'),
  ])
  socket.destroy()
  const [first, second] = answersIn(read())
  // A connection that ends without an answer to the first request has lost it.
  const isFine = outcome !== 'hung' && first !== undefined && first < 500 && (second ?? 200) === 200
  return isFine ? undefined : `${line} ${type}: ${outcome}, ${first} ${second}`
}

function headOf(provider: Provider, { line, type, length }: { line: string; type: string; length: number }): string {
  const isForm = line.includes('/submit')
  const host = new URL(isForm ? provider.accountUrl : provider.issuer).host
  return `${line} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
}
