// The load generator's process: one message in (a Load), one message out (the result, or the error that ended the run).
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpResponseReader } from './http-response.ts'
import type { Load, LoadResult } from './load.ts'
import { readUsage } from './process.ts'
import { makeVirtualUsers, type VirtualUser } from './workload.ts'

process.once('disconnect', () => process.exit())
process.once('message', (load: Load) => {
  generate(load).then(
    (result) => process.send?.({ result }),
    (fault: Error) => process.send?.({ fault: fault.message }),
  )
})

async function generate({ server, workload, connections, warmUpSeconds, seconds }: Load): Promise<LoadResult> {
  const run: Run = { latencies: [], measures: false, over: false, lastAt: 0 }
  const users = makeVirtualUsers(workload, server.host, connections)
  const sockets = await Promise.all(users.map(() => open(server.port)))
  const ended = Promise.all(users.map((user, index) => drive(user, sockets[index] as Socket, run)))
  await Promise.race([ended, sleep(warmUpSeconds * 1000)])
  const before = readUsage(server.pid)
  const ownBefore = process.cpuUsage()
  const began = performance.now()
  run.measures = true
  const ranOut = await Promise.race([ended.then(() => true), sleep(seconds * 1000, false)])
  const after = readUsage(server.pid)
  const own = process.cpuUsage(ownBefore)
  const elapsed = (ranOut ? run.lastAt : performance.now()) - began
  run.measures = false
  run.over = true
  await Promise.race([ended, sleep(10_000).then(() => Promise.reject(new Error('an answer did not come within 10 s')))])
  for (const socket of sockets) socket.destroy()
  const sorted = Float64Array.from(run.latencies).sort()
  if (sorted.length === 0) throw new Error('The warm-up used up all values.')
  return {
    requests: sorted.length,
    seconds: elapsed / 1000,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpuSeconds: before && after ? after.cpuSeconds - before.cpuSeconds : null,
    residentBytes: after?.residentBytes ?? null,
    generatorShare: (own.user + own.system) / 1000 / elapsed,
  }
}

type Run = { latencies: number[]; measures: boolean; over: boolean; lastAt: number }

/** Sends the requests of one virtual user until the run is over or the user has no request left. */
function drive(user: VirtualUser, socket: Socket, run: Run): Promise<void> {
  const reader = new HttpResponseReader()
  let sentAt = 0
  return new Promise((resolve, reject) => {
    const ask = () => {
      const request = run.over ? null : user.next()
      if (!request) return resolve()
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('data', (bytes) => {
      try {
        const response = reader.push(bytes)
        if (!response) return
        const now = performance.now()
        if (!user.accepts(response) || response.closes)
          throw new Error(`answered ${response.status} ${response.body.subarray(0, 300)}`)
        if (run.measures) run.latencies.push(now - sentAt)
        run.lastAt = now
        user.learn?.(response.body)
        ask()
      } catch (fault) {
        reject(fault)
      }
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    ask()
  })
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
