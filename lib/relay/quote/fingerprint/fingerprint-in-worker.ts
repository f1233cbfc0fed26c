import { Worker } from 'node:worker_threads'
import { makeSemaphore } from '#lib/queue/semaphore'
import { type FingerprintJob, fingerprintMessage } from './fingerprint-message.ts'

/**
 * Returns the fingerprints of a message. Reads a large message, or one with attachments, in a worker thread, so that
 * it does not delay other messages. Returns empty fingerprints for a message over the limits of time or memory.
 */
export async function fingerprintInWorker(message: ReadableMessage, about: FingerprintJob): Promise<Buffer | 'busy'> {
  if (message.size <= limits.inline) {
    const raw = await message.whole()
    if (!mayHoldFiles.test(raw.toString('latin1'))) return fingerprintMessage(raw, about)
  }
  const patience = AbortSignal.timeout(limits.waiting)
  try {
    return await withSlot(patience, async () => work(new Uint8Array(await message.whole()), about))
  } catch (fault) {
    if (fault === patience.reason) return 'busy'
    throw fault
  }
}

const mayHoldFiles = /^content-(?:type:\s*(?!text\/|multipart\/)|disposition:\s*attachment)/im

type ReadableMessage = { size: number; whole(): Promise<Buffer> }

const limits = { inline: 16 * 1024, atOnce: 2, waiting: 60_000, working: 60_000, megabytes: 1024 }
const withSlot = makeSemaphore(limits.atOnce)

function work(raw: Uint8Array<ArrayBuffer>, about: FingerprintJob): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const worker = new Worker(new URL('./fingerprint-worker.ts', import.meta.url), {
    workerData: { raw, about },
    transferList: [raw.buffer],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
  })
  const unreadable = () => resolve(Buffer.alloc(0))
  const timer = setTimeout(unreadable, limits.working)
  worker.once('message', (prints: Uint8Array) => resolve(Buffer.from(prints)))
  worker.once('error', (fault: Error & { code?: string }) =>
    fault.code === 'ERR_WORKER_OUT_OF_MEMORY' || fault instanceof RangeError ? unreadable() : reject(fault),
  )
  worker.once('exit', (code) => reject(new Error(`The thread that reads messages ended with ${code}.`)))
  return promise.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}
