import { Worker } from 'node:worker_threads'
import { makeSemaphore } from '#lib/queue/semaphore'
import type { Estimated, Estimation } from './strength-thread.ts'

export type EstimateStrength = (password: string, names: string[]) => Promise<Estimated['score'] | undefined>

/** Milliseconds for an estimation with its wait, and until an idle thread ends. */
const usual = { patience: 2000, idle: 60_000 }
const longest = 64
const megabytes = 128

/**
 * Opens an estimator of passwords. The estimation of a hostile password takes about 50 ms of CPU time, so it runs in a
 * thread of its own, one at a time. The thread ends when no new password is being typed.
 */
export function openEstimator({ patience, idle } = usual) {
  const inTurn = makeSemaphore(1)
  let thread: Worker | undefined
  let resting: NodeJS.Timeout | undefined

  const close = async () => {
    clearTimeout(resting)
    const open = thread
    thread = undefined
    await open?.terminate()
  }

  const estimateInTurn = async (estimation: Estimation, signal: AbortSignal) => {
    clearTimeout(resting)
    thread ??= openThread((ended) => {
      // An earlier thread may end after the next one has begun.
      if (thread === ended) thread = undefined
    })
    try {
      return await ask(thread, estimation, signal)
    } catch (fault) {
      // The thread may still be at work on what was given up.
      await close()
      throw fault
    } finally {
      resting = setTimeout(() => void close(), idle).unref()
    }
  }

  /** Returns undefined for an estimation that takes too long or has to wait too long. */
  const estimate: EstimateStrength = async (password, names) => {
    const signal = AbortSignal.timeout(patience)
    const estimation = { password: password.slice(0, longest), names }
    return inTurn(signal, () => estimateInTurn(estimation, signal)).catch(() => undefined)
  }
  return { estimate, close }
}

function openThread(onEnd: (thread: Worker) => void): Worker {
  const thread = new Worker(new URL('./strength-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  })
  // Without a listener, an error of the thread would end the process.
  thread.on('error', () => undefined)
  thread.once('exit', () => onEnd(thread))
  thread.unref()
  return thread
}

/** Asks a thread that has no other question. */
async function ask(thread: Worker, estimation: Estimation, signal: AbortSignal): Promise<Estimated['score']> {
  const { promise, resolve, reject } = Promise.withResolvers<Estimated['score']>()
  const onAnswer = ({ score }: Estimated) => resolve(score)
  const onEnd = () => reject(new Error('The thread ended.'))
  const onLate = () => reject(signal.reason)
  thread.once('message', onAnswer)
  thread.once('exit', onEnd)
  signal.addEventListener('abort', onLate, { once: true })
  thread.postMessage(estimation)
  try {
    return await promise
  } finally {
    thread.off('message', onAnswer)
    thread.off('exit', onEnd)
    signal.removeEventListener('abort', onLate)
  }
}
