import { Agent, request } from 'node:http'
import { readUsage } from '../process.ts'
import { type Installation, kinds, makeInstallation } from './installation.ts'

export type Server = Awaited<ReturnType<Installation['start']>>

const [atOnce, warmUp, between] = [16, 20_000, 2_000]

/**
 * Runs mixed operations against a server and returns how its memory develops. The trend is the growth of a straight line
 * through the samples after the first 20,000 operations, as a share of its beginning.
 */
export async function measureMemory(operations: number, tell: (line: string) => void): Promise<string> {
  const lines = [
    '| server | operations | RSS when ready MiB | RSS after 20,000 MiB | RSS at the end MiB | of it files MiB | trend of RSS | trend without files | trend of the heap | seconds |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
  ]
  for (const kind of kinds) {
    const installation = await makeInstallation(kind)
    const server = await installation.start()
    const began = performance.now()
    try {
      const ready = readUsage(server.process.pid)?.residentBytes
      const samples = await runAll(server, operations, (line) => tell(`${kind}: ${line}`))
      const late = samples.filter(({ done }) => done >= warmUp)
      const [rss, heap] = [late.map((one) => one.rss), late.map((one) => one.heap)]
      const sizes = [ready, rss[0], rss.at(-1), late.at(-1)?.files].map(mib)
      const trends = [rss, late.map((one) => one.rss - one.files), heap].map(trend)
      const cells = [kind, operations.toLocaleString('en'), ...sizes, ...trends]
      lines.push(`| ${[...cells, ((performance.now() - began) / 1000).toFixed(0)].join(' | ')} |`)
      tell(lines.at(-1) ?? '')
    } finally {
      await server.process.stop()
      await installation.remove()
    }
  }
  return lines.join('\n')
}

type Sample = { done: number; rss: number; files: number; heap: number }

async function runAll(server: Server, operations: number, tell: (line: string) => void): Promise<Sample[]> {
  const operate = await makeOperations(server, operations)
  const samples: Sample[] = []
  let begun = 0
  let done = 0
  const work = async () => {
    while (begun < operations) {
      await operate(begun++)
      done += 1
      if (done % between > 0) continue
      const usage = readUsage(server.process.pid)
      const sample = { done, rss: usage?.residentBytes ?? 0, files: usage?.fileBytes ?? 0, heap: 0 }
      sample.heap = await server.metric('nodejs_heap_size_used_bytes')
      samples.push(sample)
      if (sample.done % 20_000 > 0) continue
      tell(`${sample.done} operations, RSS ${mib(sample.rss)} MiB, heap ${mib(sample.heap)} MiB`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return samples.toSorted((a, b) => a.done - b.done)
}

/** Returns a function that sends one operation of the mix and checks its status. */
export async function makeOperations(server: Server, operations: number): Promise<(index: number) => Promise<unknown>> {
  const { port, accountPort, host, endpoints, prepare } = server
  const exchanged = await prepare('codes', Math.ceil(operations / 20))
  const chains = await prepare('refreshTokens', 200)
  const [accessTokens, introspected] = [await prepare('userinfoTokens', 50), await prepare('introspectionTokens', 50)]
  const as = ({ client: { id, secret } }: typeof chains) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  })
  const post = (path: string, stock: typeof chains, form: Record<string, string>, status = 200) =>
    ask({ port, host, path, method: 'POST', headers: as(stock), body: new URLSearchParams(form).toString() }, status)
  const get = (path: string, headers = {}, status = 200) => ask({ port, host, path, method: 'GET', headers }, status)
  const refresh = async () => {
    const refreshToken = chains.values.shift() ?? ''
    const text = await post(endpoints.token, chains, { grant_type: 'refresh_token', refresh_token: refreshToken })
    chains.values.push(JSON.parse(text).refresh_token)
  }
  const exchange = () => {
    const { redirectUri: redirect_uri, verifier: code_verifier } = exchanged
    const form = { grant_type: 'authorization_code', redirect_uri, code_verifier, code: exchanged.values.shift() ?? '' }
    return post(endpoints.token, exchanged, form)
  }
  const among = ({ values }: typeof chains, index: number) => values[index % values.length] as string
  // An access token lives five minutes, so late answers may refuse it.
  const userinfo = (index: number) =>
    get(endpoints.userinfo, { authorization: `Bearer ${among(accessTokens, index)}` }, 0)
  const introspect = (index: number) =>
    post(endpoints.introspection, introspected, { token: among(introspected, index) })
  const unknownCode = (index: number) =>
    post(endpoints.token, chains, { grant_type: 'refresh_token', refresh_token: `unknown-${index}` }, 400)
  const push = (index: number) => {
    const form = {
      client_id: chains.client.id,
      response_type: 'code',
      redirect_uri: chains.redirectUri,
      scope: 'openid',
    }
    const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256', state: `state-${index}` }
    return post(endpoints.push, chains, { ...form, ...challenge }, 201)
  }
  const page = (path: string) =>
    ask({ port: accountPort, host: `localhost:${accountPort}`, path, method: 'GET', headers: {} }, 200)
  const mix: ((index: number) => Promise<unknown>)[] = [
    ...Array.from({ length: 8 }, () => refresh),
    ...Array.from({ length: 4 }, () => userinfo),
    ...Array.from({ length: 3 }, () => introspect),
    exchange,
    push,
    unknownCode,
    (index) => get(index % 40 < 20 ? endpoints.discovery : endpoints.jwks),
    (index) => page(index % 40 < 20 ? '/' : '/signin'),
  ]
  return (index) => (mix[index % mix.length] as (index: number) => Promise<unknown>)(index)
}

const agent = new Agent({ keepAlive: true })
type Asked = {
  port: number
  host: string
  path: string
  method: string
  headers: Record<string, string>
  body?: string
}

/** Sends a request and returns the text of the answer, which must have the status; 0 stands for any below 500. */
function ask({ port, host, path, method, headers, body = '' }: Asked, status: number): Promise<string> {
  const all = { ...headers, host, 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method, headers: all }, async (answer) => {
      let text = ''
      for await (const part of answer) text += part
      const { statusCode = 500 } = answer
      if (status === 0 ? statusCode < 500 : statusCode === status) resolve(text)
      else reject(new Error(`${method} ${path} answered ${statusCode} ${text.slice(0, 200)}`))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export const mib = (bytes = 0) => (bytes / 2 ** 20).toFixed(0)

/** Returns the growth of the least-squares line through the values, as a share of the line's first value. */
function trend(values: number[]): string {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const [shared, spread] = values.reduce(
    ([one, other], value, at) => [one + (at - middle) * (value - mean), other + (at - middle) ** 2],
    [0, 0],
  )
  const slope = spread > 0 ? shared / spread : 0
  return `${(((slope * (values.length - 1)) / (mean - slope * middle)) * 100).toFixed(1)} %`
}
