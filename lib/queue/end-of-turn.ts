import { outsideRequests } from './current-request.ts'

/** The most rounds of one turn. A refresh needs four. A loop over many statements must let the event loop turn. */
const mostRounds = 16

let end: Promise<void> | undefined
let resolveEnd = () => {}
let isEnding = false

/**
 * Resolves when the event loop has run everything that was ready in this turn. So concurrent requests of one kind are
 * handled step by step: all handlers, then all reads, then all commits, then all answers. The processor finds the code of a
 * step in its caches, statements share a transaction, and of answers in a row, only the first one wakes a sleeping client
 * (decisions 0065 and 0084).
 *
 * Each step is a round. Work that waits again goes on in the next round, which begins in the same turn, when the queue of
 * microtasks is empty. Work that is still waiting for anything else by then goes on in a later round or turn.
 */
export function endOfTurn(): Promise<void> {
  end ??= outsideRequests(() => {
    if (!isEnding) setImmediate(runRound, 1)
    isEnding = true
    return new Promise((resolve) => {
      resolveEnd = resolve
    })
  })
  return end
}

function runRound(round: number) {
  end = undefined
  resolveEnd()
  // Node runs this tick after all microtasks.
  queueMicrotask(() =>
    process.nextTick(() => {
      if (end && round < mostRounds) return runRound(round + 1)
      isEnding = end !== undefined
      if (isEnding) setImmediate(runRound, 1)
    }),
  )
}
