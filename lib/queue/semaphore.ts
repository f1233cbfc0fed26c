/**
 * Makes a semaphore of `count` slots. Callers get a slot in the order of their arrival; an aborted signal ends the
 * wait.
 */
export function makeSemaphore(count: number) {
  let free = count
  const waiting: (() => void)[] = []
  const giveBack = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const take = (signal: AbortSignal) => {
    signal.throwIfAborted()
    if (free > 0) {
      free--
      return Promise.resolve()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      reject(signal.reason)
    }
    const begin = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    waiting.push(begin)
    signal.addEventListener('abort', giveUp, { once: true })
    return promise
  }
  return async function withSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await take(signal)
    try {
      return await work()
    } finally {
      giveBack()
    }
  }
}
