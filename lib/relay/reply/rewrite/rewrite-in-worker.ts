import { Worker } from 'node:worker_threads'
import { makeSemaphore } from '#lib/queue/semaphore'
import type { RewriteJob } from './rewrite-job.ts'
import type { RewrittenReply } from './rewrite-reply.ts'

/**
 * Rewrites a reply in a worker thread: every text is searched for every spelling of an address, and the largest
 * message takes seconds of CPU time, which would block all other connections. A reply over the limits of time or
 * memory is refused.
 */
export async function rewriteInWorker(
  message: { whole(): Promise<Buffer> },
  about: RewriteJob,
): Promise<RewrittenReply | { kind: 'busy' }> {
  const patience = AbortSignal.timeout(limits.waiting)
  try {
    return await withSlot(patience, async () => work(new Uint8Array(await message.whole()), about))
  } catch (fault) {
    if (fault === patience.reason) return { kind: 'busy' }
    throw fault
  }
}

const limits = { atOnce: 2, waiting: 60_000, working: 90_000, megabytes: 1024 }

const withSlot = makeSemaphore(limits.atOnce)

function work(raw: Uint8Array<ArrayBuffer>, about: RewriteJob): Promise<RewrittenReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RewrittenReply>()
  const worker = new Worker(new URL('./rewrite-worker.ts', import.meta.url), {
    workerData: { raw, about },
    transferList: [raw.buffer],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
  })
  const unreadable = () => resolve({ kind: 'refused', reason: 'unreadable' })
  const timer = setTimeout(unreadable, limits.working)
  worker.once('message', (rewritten: RewrittenReply) => resolve(received(rewritten)))
  worker.once('error', (fault: Error & { code?: string }) =>
    // A hostile text can exceed the stack or the memory of the engine.
    fault.code === 'ERR_WORKER_OUT_OF_MEMORY' || fault instanceof RangeError ? unreadable() : reject(fault),
  )
  worker.once('exit', (code) => reject(new Error(`The thread that rewrites replies ended with ${code}.`)))
  return promise.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}

/** Restores the Buffer, which arrives from the thread as a Uint8Array. */
const received = (rewritten: RewrittenReply): RewrittenReply =>
  rewritten.kind === 'rewritten'
    ? {
        kind: 'rewritten',
        message: Buffer.from(
          rewritten.message.buffer as ArrayBuffer,
          rewritten.message.byteOffset,
          rewritten.message.byteLength,
        ),
      }
    : rewritten
