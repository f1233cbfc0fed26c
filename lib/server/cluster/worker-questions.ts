import cluster, { type Worker } from 'node:cluster'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** What the parent asks a worker, and the answers. */
type Answers = {
  /** Why the worker cannot serve; empty while it can. */
  readiness: string
  metrics: MetricObjectWithValues<MetricValue<string>>[]
}
type Question = { id: number; question: keyof Answers }
type Answer = { id: number; answer: unknown }

/** Milliseconds. A worker whose event loop is blocked must not block the answer for the others. */
const patience = 3000

/** Tells the parent that this worker serves, and answers the parent's questions. Does nothing outside a worker. */
export function answerParent(answers: { [Name in keyof Answers]: () => Promise<Answers[Name]> }): void {
  if (!cluster.isWorker) return
  process.on('message', async ({ id, question }: Question) => {
    if (!Object.hasOwn(answers, question)) return
    const answer = await answers[question]()
    if (process.connected) process.send?.({ id, answer } satisfies Answer)
  })
  process.send?.(ready)
}

const ready = 'ready'

/** Resolves when a worker serves. Rejects with its exit code when it ends before. */
export function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => message === ready && resolve())
    worker.once('exit', (code) => reject(code ?? 1)).once('error', () => reject(1))
  })
}

let lastId = 0

/** Asks a worker; resolves with undefined if it does not answer in time. */
export function ask<Name extends keyof Answers>(worker: Worker, question: Name): Promise<Answers[Name] | undefined> {
  const id = ++lastId
  const { promise, resolve } = Promise.withResolvers<Answers[Name] | undefined>()
  const take = (message: Answer) => message.id === id && resolve(message.answer as Answers[Name])
  const giveUp = () => resolve(undefined)
  const timer = setTimeout(giveUp, patience)
  worker.on('message', take).once('exit', giveUp)
  if (worker.isConnected()) worker.send({ id, question } satisfies Question, (fault) => fault && giveUp())
  else giveUp()
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', take).off('exit', giveUp)
  })
}
