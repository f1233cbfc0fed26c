import { makeArgon2 } from '#lib/crypto/argon2/derive'
import { withRequest } from '#lib/queue/current-request'
import { isOverloaded } from '#lib/queue/fair-queue'

const slot = globalThis as { __posternArgon2?: ReturnType<typeof makeArgon2> | undefined }

/** Runs while the queue for argon2 takes only so many derivations; says whether it was refused. */
export async function withFullQueue(run: () => Promise<unknown>, places = 0): Promise<'refused' | 'served'> {
  const usual = slot.__posternArgon2
  const small = makeArgon2({ patience: 60_000 })
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
