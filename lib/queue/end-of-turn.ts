import { outsideRequests } from './current-request.ts'

type Wait = PromiseWithResolvers<void>

/** The most rounds of one turn, so that a loop over many statements lets the event loop turn. A refresh needs four. */
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
 * Each step is a round. If work calls this function again during a round, it goes on in the next round of the same turn. That
 * round begins when the queue of microtasks is empty.
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

/**
 * Runs a round of this turn: the work of `endOfTurn` if rounds are left, otherwise the work of `lastOfTurn` unless it has run in
 * this turn. If there is neither, the turn is over, and work that still waits goes on in the next turn.
 */
function runRound(left: number, mayBeLast: boolean) {
  const servesEnd = end !== undefined && left > 0
  const round = servesEnd ? end : mayBeLast ? last : undefined
  if (!round) {
    isEnding = end !== undefined || last !== undefined
    if (isEnding) setImmediate(runRound, mostRounds, true)
    return
  }
  if (servesEnd) end = undefined
  else last = undefined
  round.resolve()
  // Node runs this tick after all microtasks.
  queueMicrotask(() => process.nextTick(runRound, left - 1, servesEnd && mayBeLast))
}
