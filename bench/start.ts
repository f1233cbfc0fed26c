import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '#lib/testing/process/free-ports'

const root = resolve(import.meta.dirname, '..')

/**
 * Measures the time from `npm start` until both hosts and the demo answer: first in a fresh clone, then again in the
 * same unchanged clone.
 */
export async function timeStarts(again = 5): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-start-'))
  try {
    const { status, stderr } = spawnSync('git', ['clone', '--quiet', root, folder], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`git clone failed: ${stderr}`)
    const first = await secondsToServe(folder)
    const later: number[] = []
    while (later.length < again) later.push(await secondsToServe(folder))
    const sorted = later.toSorted((one, other) => one - other)
    const rows = [
      ['the first time: packages, client, pages', first],
      [`again, median of ${again}`, sorted[Math.floor(again / 2)] as number],
      [`again, slowest of ${again}`, sorted.at(-1) as number],
    ] as const
    const lines = rows.map(([name, seconds]) => `| ${name} | ${seconds.toFixed(1)} |`)
    return ['| `npm start` in a fresh clone, until it serves | seconds |', '| --- | --: |', ...lines].join('\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function secondsToServe(cwd: string): Promise<number> {
  const [issuer, account, demo, relay] = (await freePorts(4)).map((port) => `localhost:${port}`)
  const { PATH, HOME, TMPDIR } = process.env
  const hosts = { ISSUER: `http://${issuer}`, ACCOUNT_URL: `http://${account}`, DEMO_LISTEN: demo, RELAY_LISTEN: relay }
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd,
    // `npm start` sets NODE_ENV=production itself; an operator's shell usually does not.
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'development', ...hosts },
    stdio: 'ignore',
    detached: true,
  })
  const kill = () => process.kill(-(child.pid as number), 'SIGKILL')
  process.once('exit', kill)
  const wanted = [`http://${issuer}/.well-known/openid-configuration`, `http://${account}/`, `http://${demo}/`]
  for (const url of wanted)
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
      await sleep(20)
    }
  const seconds = (performance.now() - began) / 1000
  const gone = once(child, 'exit')
  process.kill(-(child.pid as number), 'SIGTERM')
  await gone
  process.off('exit', kill)
  return seconds
}

const answers = (url: string) =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  )
