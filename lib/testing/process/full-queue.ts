import { makeArgon2 } from '#lib/crypto/argon2/derive'
import { withRequest } from '#lib/queue/current-request'
import { isOverloaded } from '#lib/queue/fair-queue'
import { openQuickThread } from './quick-argon2-thread.ts'

const slot = globalThis as { __posternArgon2?: ReturnType<typeof makeArgon2> | undefined }

/** Runs `run` while the argon2 queue accepts only `places` derivations. Returns whether a derivation was refused. */
export async function withFullQueue(run: () => Promise<unknown>, places = 0): Promise<'refused' | 'served'> {
  const usual = slot.__posternArgon2
  const small = makeArgon2({ patience: 60_000, openThread: openQuickThread })
  let taken = 0
  const gone = { id: 'r', address: '', abandoned: () => AbortSignal.abort() }
  const derive: typeof small.derive = (work) =>
    taken++ < places ? small.derive(work) : withRequest(gone, () => small.derive(work))
  slot.__posternArgon2 = { close: small.close, derive, expectPlace: () => undefined }
  try {
    await run()
    return 'served'
  } catch (fault) {
    if (!isOverloaded(fault)) throw fault
    return 'refused'
  } finally {
    slot.__posternArgon2 = usual
    await small.close()
  }
}

/**
 * Runs `run` while 24 other networks have filled the argon2 queue. The queue's threads pause until a request gets a
 * place, and then complete all derivations.
 */
export async function withFloodedQueue<T>(run: () => Promise<T>): Promise<T> {
  const usual = slot.__posternArgon2
  const gate = Promise.withResolvers<void>()
  const openHeld = () => {
    const thread = openQuickThread()
    const post = thread.postMessage.bind(thread)
    thread.postMessage = (work: unknown) => void gate.promise.then(() => post(work))
    return thread
  }
  const threads = 1
  const flooded = makeArgon2({ threads, waiting: 23, patience: 60_000, openThread: openHeld })
  const flood = Array.from({ length: 24 }, (_, at) =>
    from(`192.0.2.${at}`, () => flooded.derive([cheap])).catch(() => undefined),
  )
  const derive: typeof flooded.derive = (work) => {
    const derived = flooded.derive(work)
    gate.resolve()
    return derived
  }
  slot.__posternArgon2 = { ...flooded, derive }
  try {
    return await run()
  } finally {
    slot.__posternArgon2 = usual
    gate.resolve()
    await Promise.all(flood)
    await flooded.close()
  }
}

/** Runs `run` as a request of the client at this address. */
export const from = <T>(address: string, run: () => Promise<T>): Promise<T> =>
  withRequest({ id: 'r', address, abandoned: () => AbortSignal.any([]) }, run)

const cheap = { message: 'x', nonce: Buffer.alloc(16), memory: 64, passes: 1, parallelism: 1, tagLength: 32 }
