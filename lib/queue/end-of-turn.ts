import { outsideRequests } from './current-request.ts'

type Wait = PromiseWithResolvers<void>

/** The most rounds of one turn. A refresh needs four. A loop over many statements must let the event loop turn. */
const mostRounds = 16

let end: Wait | undefined
let last: Wait | undefined
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
  end ??= wait()
  return end.promise
}

/**
 * Resolves once in a turn, when no other work waits for its end. A commit waits for it: requests that are at different
 * steps then share its fsync.
 */
export function lastOfTurn(): Promise<void> {
  last ??= wait()
  return last.promise
}

function wait(): Wait {
  return outsideRequests(() => {
    if (!isEnding) setImmediate(runRound, mostRounds, true)
    isEnding = true
    return Promise.withResolvers<void>()
  })
}

/** Runs the next round of this turn, with `left` rounds to go. After the last round, the rest waits for the next turn. */
function runRound(left: number, hasLast: boolean) {
  const isUsual = end !== undefined && left > 0
  const round = isUsual ? end : hasLast ? last : undefined
  if (!round) {
    isEnding = end !== undefined || last !== undefined
    if (isEnding) setImmediate(runRound, mostRounds, true)
    return
  }
  if (isUsual) end = undefined
  else last = undefined
  round.resolve()
  // Node runs this tick after all microtasks.
  queueMicrotask(() => process.nextTick(runRound, left - 1, isUsual && hasLast))
}
