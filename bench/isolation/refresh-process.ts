// A client of the token endpoint: one message in (PacedRefresh), one message out (the latencies and the current tokens).
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Refreshes a set of refresh tokens at a fixed rate that does not depend on how fast the server answers. */
export type PacedRefresh = {
  port: number
  host: string
  path: string
  client: { id: string; secret: string }
  tokens: string[]
  seconds: number
  perSecond: number
}

process.once('disconnect', () => process.exit())
process.once('message', (about: PacedRefresh) => {
  refresh(about).then(
    (result) => process.send?.(result),
    (fault: Error) => process.send?.({ fault: fault.message }),
  )
})

async function refresh(about: PacedRefresh) {
  const idle = [...about.tokens]
  const latencies: number[] = []
  const underway = new Set<Promise<void>>()
  const began = performance.now()
  for (let sent = 0; sent < about.seconds * about.perSecond; sent++) {
    await sleep(Math.max(0, began + (sent * 1000) / about.perSecond - performance.now()))
    const token = idle.shift()
    if (token === undefined) throw new Error('No refresh token is idle: the answers take too long.')
    const at = performance.now()
    const one = askOnce(about, token).then((next) => {
      latencies.push(performance.now() - at)
      idle.push(next)
      underway.delete(one)
    })
    underway.add(one)
  }
  await Promise.all(underway)
  return { latencies, tokens: idle }
}

const agent = new Agent({ keepAlive: true })

function askOnce({ port, host, path, client }: PacedRefresh, token: string): Promise<string> {
  const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`
  const body = `grant_type=refresh_token&refresh_token=${encodeURIComponent(token)}`
  const headers = {
    host,
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      const next = /"refresh_token":"([^"]+)"/.exec(text)?.[1]
      if (answer.statusCode === 200 && next) resolve(next)
      else reject(new Error(`The token endpoint answered ${answer.statusCode} ${text.slice(0, 200)}`))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
