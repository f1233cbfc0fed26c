import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { selfSigned } from '#lib/testing/process/self-signed'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import { type OutboundRules, openOutbound } from './outbound.ts'

/** Opens the client of a production server, unless `rules` says otherwise. */
const clientOf = (zone: Zone = {}, rules: Partial<OutboundRules> = {}) => {
  const dns = makeDns(zone)
  return { ...dns, ...openOutbound({ evaluation: false, allow: [], resolver: dns.resolver, ...rules }) }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** Opens a receiver, and returns its port and the requests that reached it. */
async function openReceiver(answer: RequestListener = (_, response) => response.end('{}')) {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    arrived.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? ''}`)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { arrived, port: portOf(server) }
}

/** Opens a peer that acts on each request below HTTP, and counts its open connections. */
async function openPeer(act: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    socket.once('data', () => act(socket))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: portOf(server), open: () => sockets.size }
}

const early = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)
const evaluation = { evaluation: true }

describe('an outbound request', () => {
  it('posts a form and returns the status', async () => {
    const { arrived, port } = await openReceiver((_, response) => response.writeHead(204).end())
    expect(await clientOf({}, evaluation).postForm(`http://localhost:${port}/a?b=c`, { x: 'é&' })).toBe(204)
    expect(arrived).toEqual(['POST /a?b=c application/x-www-form-urlencoded'])
  })

  it('reads a JSON document', async () => {
    const { port } = await openReceiver((_, response) => response.end('{"keys":[]}'))
    expect(await clientOf({}, evaluation).getJson(`http://127.0.0.1:${port}/`)).toEqual({ keys: [] })
  })

  it.each(['http://rp.example/', 'ftp://rp.example/', 'file:///etc/passwd', 'data:,x'])(
    'refuses %s outside an evaluation',
    async (url) => {
      const { getJson, asked } = clientOf({ 'A rp.example': ['8.8.8.8'] })
      await expect(getJson(url)).rejects.toThrow('not https')
      expect(asked).toEqual([])
    },
  )

  it('connects to the first of two addresses although it accepts after more than 250 ms', async () => {
    const { port } = await openReceiver((_, response) => response.writeHead(204).end())
    // Nothing listens at ::1. The wait blocks the process for 400 ms, so that it notices only then that 127.0.0.1 has
    // accepted.
    setImmediate(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400))
    expect(await clientOf({}, evaluation).postForm(`http://localhost:${port}/`, {})).toBe(204)
  })

  it('uses a hosts file before DNS', async () => {
    const hostsFile = join(inject('temporaryFolder'), 'hosts-of-outbound')
    writeFileSync(hostsFile, '# 127.0.0.9 rp.example\n127.0.0.1\tother RP.example # here\n')
    const { port } = await openReceiver()
    const { getJson, asked } = clientOf({}, { ...evaluation, hostsFile })
    expect(await getJson(`http://rp.example:${port}/`)).toEqual({})
    expect(asked).toEqual([])
  })
})

describe('an attack through an address that an app registers', () => {
  it.each([
    ...['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f000001/', 'https://0177.0.0.1/'],
    ...['https://localhost/', 'https://app.localhost/', 'https://LOCALHOST./', 'https://0/', 'https://[::]/'],
    ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/', 'https://[::127.0.0.1]/'],
    ...['https://[64:ff9b::10.0.0.1]/', 'https://[64:ff9b:1::1]/', 'https://[2002:a00:1::]/', 'https://[2001::1]/'],
    ...['https://[fe80::1]/', 'https://[fd00:ec2::254]/', 'https://[fec0::1]/', 'https://[ff02::1]/'],
    ...['https://10.0.0.1/', 'https://172.31.255.255/', 'https://192.168.0.1/', 'https://100.64.0.1/'],
    ...['https://169.254.169.254/', 'https://168.63.129.16/', 'https://224.0.0.1/', 'https://255.255.255.255/'],
  ])('does not connect to %s', async (url) => {
    await expect(clientOf().postForm(url, {})).rejects.toThrow('not public')
  })

  it.each<Zone>([
    { 'A rp.example': ['10.0.0.1'] },
    { 'A rp.example': ['8.8.8.8', '127.0.0.1'] },
    { 'A rp.example': ['8.8.8.8'], 'AAAA rp.example': ['::ffff:a9fe:a9fe'] },
    { 'AAAA rp.example': ['fe80::1%eth0'] },
  ])('does not connect to a host that resolves to a forbidden address: %j', async (zone) => {
    await expect(clientOf(zone).getJson('https://rp.example/')).rejects.toThrow('not public')
  })

  it('resolves a host once and connects to the checked address (DNS rebinding)', async () => {
    const { arrived, port } = await openReceiver()
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const { getJson, zone, asked } = clientOf({}, evaluation)
    Object.defineProperty(zone, 'A rp.example', { enumerable: true, get: () => answers.shift() })
    expect(await getJson(`http://rp.example:${port}/`)).toEqual({})
    expect(arrived).toHaveLength(1)
    expect(asked.filter((question) => question.startsWith('A '))).toHaveLength(1)
  })

  it.each(['http://127.0.0.1/', '/elsewhere', 'https://169.254.169.254/latest/meta-data/'])(
    'follows no redirect to %s',
    async (location) => {
      const { arrived, port } = await openReceiver((_, response) => response.writeHead(307, { location }).end())
      const client = clientOf({}, evaluation)
      await expect(client.postForm(`http://127.0.0.1:${port}/`, {})).rejects.toThrow('redirect (307)')
      await expect(client.getJson(`http://127.0.0.1:${port}/`)).rejects.toThrow('redirect (307)')
      expect(arrived).toHaveLength(2)
    },
  )

  it('gives up at the deadline when nothing answers, while DNS hangs, and when a body never ends', async () => {
    const silent = await openReceiver(() => undefined)
    const dripping = await openReceiver((_, response) => response.write('{'))
    const client = clientOf({}, { ...evaluation, patience: 100 })
    const hanging = clientOf({}, { patience: 100, resolver: () => new Promise(() => undefined) })
    await expect(client.postForm(`http://127.0.0.1:${silent.port}/`, {})).rejects.toThrow('time limit')
    await expect(hanging.getJson('https://rp.example/')).rejects.toThrow('time limit')
    await expect(client.getJson(`http://127.0.0.1:${dripping.port}/`)).rejects.toThrow(/cut off|time limit/)
  })

  it('takes the status of a posted form whose body never ends, and closes the connection at the deadline', async () => {
    const { port, open } = await openPeer((socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    const endless = await openPeer((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\nx'))
    const client = clientOf({}, { ...evaluation, patience: 1000 })
    expect(await client.postForm(`http://127.0.0.1:${port}/`, {})).toBe(204)
    expect(await client.postForm(`http://127.0.0.1:${endless.port}/`, {})).toBe(200)
    await expect.poll(() => [open(), endless.open()]).toEqual([0, 0])
  })

  it.each<[string, (socket: Socket) => void, string]>([
    ['closes at once', (socket) => socket.destroy(), 'ECONNRESET'],
    ['does not speak HTTP', (socket) => void socket.write('SSH-2.0-OpenSSH\r\n'), 'HPE_INVALID_CONSTANT'],
    [
      'sends a huge header',
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`),
      'HPE_HEADER_OVERFLOW',
    ],
    [
      'sends headers without end',
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`),
      'HPE_HEADER_OVERFLOW',
    ],
    ['sends early answers without end', (socket) => void socket.write(early), 'time limit'],
    [
      'wants another protocol',
      (socket) => void socket.write('HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      'time limit',
    ],
    [
      'gives two lengths',
      (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
      'HPE_',
    ],
  ])('fails, and closes the connection, at a peer that %s', async (_name, act, reason) => {
    const { port, open } = await openPeer(act)
    const client = clientOf({}, { ...evaluation, patience: 300 })
    await expect(client.postForm(`http://127.0.0.1:${port}/`, {})).rejects.toThrow(reason)
    await expect(client.getJson(`http://127.0.0.1:${port}/`)).rejects.toThrow(reason)
    await expect.poll(open).toBe(0)
  })

  it('sends 200 requests at once to a peer that never answers, and keeps no connection', async () => {
    const { port, open } = await openPeer(() => undefined)
    const client = clientOf({}, { ...evaluation, patience: 500 })
    const posts = Array.from({ length: 200 }, () => client.postForm(`http://127.0.0.1:${port}/`, {}))
    const ends = await Promise.allSettled(posts)
    expect(new Set(ends.map((end) => end.status === 'rejected' && end.reason.message))).toEqual(
      new Set(['no answer within the time limit']),
    )
    await expect.poll(open).toBe(0)
  })

  it('reads 64 KiB and no more', async () => {
    const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
    const { port } = await openReceiver((request, response) => response.end(text(Number(request.url?.slice(1)))))
    const client = clientOf({}, { evaluation: true })
    expect(await client.getJson(`http://127.0.0.1:${port}/65536`)).toHaveLength(65_534)
    await expect(client.getJson(`http://127.0.0.1:${port}/65537`)).rejects.toThrow('more than 65536 bytes')
    expect(await client.postForm(`http://127.0.0.1:${port}/9000000`, {})).toBe(200)
  })

  it('refuses a certificate of another name or an unknown issuer', async () => {
    const files = selfSigned()
    const [key, cert] = [readFileSync(files.key), readFileSync(files.cert, 'utf8')]
    const server = createTlsServer({ key, cert }, (_, response) => response.end('{}')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    const zone = { 'A mx.example.net': ['127.0.0.1'], 'A rp.example': ['127.0.0.1'] }
    const allow = ['mx.example.net', '127.0.0.0/8']
    const port = portOf(server)
    await expect(clientOf(zone, { allow }).getJson(`https://mx.example.net:${port}/`)).rejects.toThrow('SELF_SIGNED')
    const trusting = clientOf(zone, { allow, ca: cert })
    await expect(trusting.getJson(`https://rp.example:${port}/`)).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(await trusting.getJson(`https://mx.example.net:${port}/`)).toEqual({})
  })
})

it('reaches what the operator lists in OUTBOUND_ALLOW, and nothing beside it', async () => {
  const zone = { 'A rp.internal': ['127.0.0.1'], 'A other.internal': ['127.0.0.1'], 'A near.internal': ['10.1.2.3'] }
  const refusal = (allow: string[], host: string) =>
    clientOf(zone, { allow })
      .getJson(`https://${host}:9/`)
      .catch((fault: Error) => fault.message)
  expect(await refusal(['rp.internal'], 'rp.internal')).toBe('no answer: ECONNREFUSED')
  expect(await refusal(['127.0.0.0/8'], 'other.internal')).toBe('no answer: ECONNREFUSED')
  expect(await refusal(['rp.internal'], 'other.internal')).toContain('not public')
  expect(await refusal(['127.0.0.0/8', 'internal'], 'near.internal')).toContain('not public')
})

it.each([
  ['an IPv6 address that carries an IPv4 address of the range', ['127.0.0.0/8'], '::ffff:127.0.0.1', true],
  ['a mapped range', ['::ffff:127.0.0.0/104'], '127.0.0.1', true],
  ['an address with a zone', ['fe80::1%eth0'], 'fe80::2', false],
  ['a range of one address', ['10.1.2.3/32'], '10.1.2.4', false],
  ['a name that looks like an address in another notation', ['0x7f000001'], '127.0.0.1', false],
  ['the beginning of a name', ['rp.inter'], '10.1.2.3', false],
  ['a domain above the name', ['internal'], '10.1.2.3', false],
])('lets OUTBOUND_ALLOW decide about %s', async (_name, allow, address, isReached) => {
  const zone: Zone = { [`${address.includes(':') ? 'AAAA' : 'A'} rp.internal`]: [address] }
  const client = clientOf(zone, { allow, patience: 500 })
  const fault = await client.getJson('https://rp.internal:9/').catch(({ message }: Error) => message)
  expect(!String(fault).includes('not public')).toBe(isReached)
})
