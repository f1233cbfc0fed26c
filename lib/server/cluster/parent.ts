import cluster, { type Worker } from 'node:cluster'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AggregatorRegistry } from 'prom-client'
import { listen } from '#lib/server/listen'
import { type Log, makeLog } from '#lib/server/observe/log'
import type { Config } from '#lib/server/settings/config'
import { using } from '#lib/server/settings/start-up-fault'
import { makeRestartDelay } from './restart-delay.ts'
import { ask, untilReady } from './worker-questions.ts'

/** Seconds that workers have after DRAIN_SECONDS; then they are killed. A worker ends itself after 25. */
const patience = 30

/**
 * Runs workers, which share the listeners, until SIGTERM or SIGINT. The parent serves nothing but health and metrics on
 * METRICS_LISTEN: a fault in the code that serves cannot end it. The first worker starts alone, so that it migrates the
 * database, and a wrong setting is reported once. When the parent dies, the workers end (`disconnect` of node:cluster).
 */
export async function runWorkers({ logLevel, listen: at, drainSeconds }: Config, count: number): Promise<void> {
  // Workers accept by themselves. With the round-robin default, the parent hands connections on: one that it handed to a
  // worker just before that worker died would hang, because no process owns it any more.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const log = makeLog(logLevel)
  const crew = makeCrew(log)
  const stop = (signal: NodeJS.Signals) => crew.stop(signal, drainSeconds)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  await crew.startFirst()
  for (let others = count - 1; others > 0; others--) crew.start()
  const { metrics } = at
  if (metrics) {
    const handler = ({ url }: IncomingMessage, outgoing: ServerResponse) =>
      void answer(url, outgoing, crew).catch((err: unknown) => {
        log.error({ err }, 'the request for metrics failed')
        outgoing.destroy()
      })
    await using('METRICS_LISTEN', () => listen(metrics, handler))
  }
  log.info({ workers: count }, 'the parent restarts workers that end')
}

type Crew = ReturnType<typeof makeCrew>

/** Starts workers and replaces those that end, until it is stopped. */
function makeCrew(log: Log) {
  const [running, serving] = [new Set<Worker>(), new Set<Worker>()]
  const restarts = new Set<NodeJS.Timeout>()
  const delayAfter = makeRestartDelay()
  let isStopping = false
  let exitCode = 0
  const leaveIfAlone = () => {
    if (running.size === 0) process.exit(exitCode)
  }

  const fork = () => {
    const forked = forkWorker(log)
    const { worker, isReady, ended } = forked
    running.add(worker)
    // A worker that ends before it is ready is replaced like any other.
    void isReady.then(() => serving.add(worker)).catch(() => undefined)
    void ended.then(() => running.delete(worker) && serving.delete(worker))
    return forked
  }
  const replaceAtEnd = async ({ worker, ended }: Forked) => {
    const { code, signal, lived } = await ended
    if (isStopping) {
      // A signal before the worker listens for it is a stop as ordered.
      if (code !== 0 && signal !== 'SIGTERM' && signal !== 'SIGINT') exitCode = 1
      leaveIfAlone()
      return
    }
    const delay = delayAfter(lived)
    log.error({ pid: worker.process.pid, code, signal, seconds: delay / 1000 }, 'a worker ended; the next one starts')
    const restart = setTimeout(() => {
      restarts.delete(restart)
      start()
    }, delay)
    restarts.add(restart)
  }
  const start = () => {
    if (!isStopping) void replaceAtEnd(fork())
  }
  return {
    serving,
    start,
    /** Starts a worker and waits until it serves. If it cannot start, the parent ends with its exit code. */
    async startFirst() {
      const forked = fork()
      await forked.isReady.catch((code: number) => process.exit(code))
      void replaceAtEnd(forked)
    },
    stop(signal: NodeJS.Signals, drainSeconds: number) {
      if (!isStopping) log.info({ signal }, 'stopping the workers')
      isStopping = true
      for (const restart of restarts) clearTimeout(restart)
      const send = (name: NodeJS.Signals) => {
        for (const worker of running) worker.process.kill(name)
      }
      send(signal)
      setTimeout(() => send('SIGKILL'), (drainSeconds + patience) * 1000).unref()
      leaveIfAlone()
    },
  }
}

type Forked = ReturnType<typeof forkWorker>
type End = { code: number | null; signal: string | null; lived: number }

/** Starts a worker. `ended` resolves when it has ended, or could not be started; `lived` is in milliseconds. */
function forkWorker(log: Log) {
  const began = performance.now()
  const worker = cluster.fork()
  const ended = new Promise<End>((resolve) => {
    const end = (code: number | null, signal: string | null) =>
      resolve({ code, signal, lived: performance.now() - began })
    worker.once('exit', end)
    worker.on('error', (err) => {
      log.error({ err }, 'a worker has a fault')
      // A process that the system could not start has no exit.
      if (worker.process.pid === undefined) end(null, null)
    })
  })
  return { worker, isReady: untilReady(worker), ended }
}

/** Answers on METRICS_LISTEN. */
async function answer(url: string | undefined, outgoing: ServerResponse, { serving }: Crew): Promise<void> {
  const end = (status: number, text: string, type = 'text/plain') =>
    outgoing.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
  if (url === '/healthz') end(200, 'ok\n')
  else if (url === '/readyz') {
    const reason = await readinessOf([...serving])
    end(reason ? 503 : 200, `${reason || 'ready'}\n`)
  } else if (url === '/metrics') {
    const asked = await Promise.all([...serving].map((worker) => ask(worker, 'metrics')))
    const answers = asked.filter((metrics) => metrics !== undefined)
    // An empty answer would tell Prometheus that this installation is up.
    if (answers.length === 0) return void end(503, 'no worker answers\n')
    const registry = AggregatorRegistry.aggregate(answers)
    end(200, await registry.metrics(), registry.contentType)
  } else end(404, '')
}

/** Returns why no worker can serve; empty while at least one can. */
async function readinessOf(workers: Worker[]): Promise<string> {
  const reasons = await Promise.all(workers.map((worker) => ask(worker, 'readiness')))
  if (reasons.includes('')) return ''
  return reasons.find((reason) => reason !== undefined) ?? 'no worker answers'
}
