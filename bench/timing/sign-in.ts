import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePorts } from '#lib/testing/process/free-ports'
import { type ServerProcess, startProcess } from '../process.ts'
import { renderTimes } from './table.ts'

const names = 50
const triesEach = 20
const password = 'a password of nobody'

/**
 * Compares the response times of two refusals: a wrong password for an existing username and for an unknown one.
 * Alternates 1,000 attempts of each, every attempt from its own address, because the limit for one address is lower.
 */
export async function compareSignInTimes(): Promise<string> {
  const [issuer = 0, account = 0, relay = 0] = await freePorts(3)
  const env = (folder: string) => ({
    ISSUER: `http://localhost:${issuer}`,
    ACCOUNT_URL: `http://localhost:${account}`,
    LISTEN_ISSUER: `127.0.0.1:${issuer}`,
    LISTEN_ACCOUNT: `127.0.0.1:${account}`,
    RELAY_LISTEN: `127.0.0.1:${relay}`,
    TRUST_PROXY: '127.0.0.1',
    DATA_DIR: folder,
    DEMO: '0',
  })
  const server = await startProcess(['server.ts'], `http://localhost:${issuer}/readyz`, env)
  await makePeople(server, env(server.folder))
  const address = `http://localhost:${account}/signin/submit`
  const times = { existing: [] as number[], unknown: [] as number[] }
  for (let round = -1; round < triesEach; round++) {
    for (let index = 0; index < names; index++) {
      const kinds = (index + round) % 2 === 0 ? (['existing', 'unknown'] as const) : (['unknown', 'existing'] as const)
      for (const kind of kinds) {
        const seconds = await timeRefusal(address, `${kind}-${index}`)
        // The first round is a warm-up.
        if (round >= 0) times[kind].push(seconds)
      }
    }
  }
  await server.stop()
  return renderTimes('a wrong password for', {
    'an existing username': times.existing,
    'an unknown username': times.unknown,
  })
}

async function makePeople(server: ServerProcess, env: Record<string, string>) {
  const people = Array.from({ length: names }, (_, index) => ({
    username: `existing-${index}`,
    password: `${password} ${index}`,
  }))
  const child = spawn(process.execPath, ['lib/cli/main.ts', 'apply', '-'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.end(JSON.stringify({ people }))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The people could not be created in ${server.folder}.`)
}

let sent = 0

async function timeRefusal(address: string, username: string): Promise<number> {
  sent += 1
  const began = performance.now()
  const answer = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
    },
    body: new URLSearchParams({ to: '/account', username, password }),
  })
  await answer.arrayBuffer()
  const took = (performance.now() - began) / 1000
  const back = answer.headers.get('location') ?? ''
  if (answer.status !== 303 || !back.startsWith('/signin'))
    throw new Error(`Unexpected answer: ${answer.status} ${back}`)
  return took
}
