import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { restDelay } from '#lib/queue/rest-delay'
import type { SignInFlood } from '../isolation/flood-process.ts'
import { readUsage } from '../process.ts'
import { kinds, makeInstallation } from './installation.ts'
import { makeOperations, mib, type Server } from './memory.ts'

/** Concurrent requests of each part of the storm. */
const [wellFormed, hostile, signIns] = [200, 50, 200]
const between = 1000

/** Operations, one after another, that the server answers before its idle memory is measured. */
const warmUp = 1000

/**
 * Measures the memory of a server before a storm, at its peak, and after a rest: afterwards it must be within 1.3 times
 * its idle memory. Before the idle memory is measured, the server answers a thousand operations and, at the same time,
 * sign-ins, and then rests until its threads have ended. The storm consists of mixed operations, sign-ins and hostile
 * requests at the same time.
 */
export async function measureStorm(
  { operations, rest }: { operations: number; rest: number },
  tell: (line: string) => void,
): Promise<string> {
  const lines = [
    `| server | idle MiB | peak MiB | after the storm MiB | after ${rest} s of rest MiB | of it files MiB | rest ÷ idle | within 1.3 |`,
    '| --- | --: | --: | --: | --: | --: | --: | --- |',
  ]
  for (const kind of kinds) {
    const installation = await makeInstallation(kind)
    const server = await installation.start()
    const usage = () => readUsage(server.process.pid)
    const resident = () => usage()?.residentBytes ?? 0
    try {
      const storm = await prepareStorm(server, operations)
      // The first uses load and compile code, which stays in memory and would be counted to the storm.
      const operate = await makeOperations(server, warmUp)
      const endSignIns = await beginSignIns(server, { atOnce: 1, first: 2 })
      for (let index = 0; index < warmUp; index++) await operate(index).catch(() => undefined)
      endSignIns()
      await sleep(restDelay + 10_000)
      const idle = resident()
      let peak = idle
      const watch = setInterval(() => {
        peak = Math.max(peak, resident())
      }, between)
      tell(`${kind}: idle ${mib(idle)} MiB`)
      await storm()
      const after = resident()
      tell(`${kind}: after the storm ${mib(after)} MiB`)
      for (let seconds = 0; seconds < rest; seconds += 30) {
        await sleep(Math.min(30, rest - seconds) * 1000)
        tell(`${kind}: ${seconds + 30} s later ${mib(resident())} MiB`)
      }
      clearInterval(watch)
      const ratio = resident() / idle
      const cells = [
        kind,
        ...[idle, peak, after, resident(), usage()?.fileBytes].map(mib),
        ratio.toFixed(2),
        ratio <= 1.3 ? 'yes' : '**no**',
      ]
      lines.push(`| ${cells.join(' | ')} |`)
    } finally {
      await server.process.stop()
      await installation.remove()
    }
  }
  return lines.join('\n')
}

/** Makes the stock of the storm, and returns the function that runs it once. */
async function prepareStorm(server: Server, operations: number): Promise<() => Promise<void>> {
  const operate = await makeOperations(server, operations)
  return async () => {
    const endSignIns = await beginSignIns(server, { atOnce: signIns, first: 1 })
    let begun = 0
    // A request that the server refuses is part of the storm.
    const repeat = async (one: (index: number) => Promise<unknown>) => {
      while (begun < operations) await one(begun++).catch(() => undefined)
    }
    const workers = (count: number, one: (index: number) => Promise<unknown>) =>
      Array.from({ length: count }, () => repeat(one))
    await Promise.all([...workers(wellFormed, operate), ...workers(hostile, (index) => attack(server, index))])
    endSignIns()
  }
}

/** Signs in again and again from a process of its own; returns the function that ends it. */
async function beginSignIns({ accountPort }: Server, about: Omit<SignInFlood, 'port'>): Promise<() => void> {
  const flood = fork(resolve(import.meta.dirname, '../isolation/flood-process.ts'))
  flood.send({ port: accountPort, ...about } satisfies SignInFlood)
  await once(flood, 'message')
  return () => flood.kill()
}

const agent = new Agent({ keepAlive: true })

/** Sends a hostile request: a large body, a long query, deep JSON, a wrong type, or a body that never ends. */
function attack({ port, host, endpoints }: Server, index: number): Promise<void> {
  const form = 'application/x-www-form-urlencoded'
  const kinds: { path: string; type: string; body: string; length?: number }[] = [
    { path: endpoints.token, type: form, body: 'x'.repeat(200_000) },
    { path: `/oauth2/authorize?state=${'s'.repeat(20_000)}&x=${index}`, type: form, body: '' },
    { path: endpoints.push, type: form, body: `request=${'e'.repeat(60_000)}.${index}.x` },
    { path: endpoints.token, type: 'application/json', body: '['.repeat(50_000) },
    { path: endpoints.token, type: form, body: 'grant_type=refresh_token', length: 1000 },
  ]
  const { path, type, body, length = Buffer.byteLength(body) } = kinds[index % kinds.length] as (typeof kinds)[number]
  const headers = { host, 'content-type': type, 'content-length': length }
  return new Promise((done) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.on('close', done)
    })
    sent.on('error', () => done())
    sent.setTimeout(2000, () => sent.destroy())
    sent.end(body)
  })
}
