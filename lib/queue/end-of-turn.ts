import { outsideRequests } from './current-request.ts'

let end: Promise<void> | undefined

/**
 * Resolves when the event loop has run everything that was ready in this turn. Answers that wait for it are written one
 * right after the other. A write wakes a sleeping client, which can cost more than the answer did; of answers in a row,
 * only the first one wakes it.
 */
export function endOfTurn(): Promise<void> {
  end ??= outsideRequests(
    () =>
      new Promise((resolve) => {
        setImmediate(() => {
          end = undefined
          resolve()
        })
      }),
  )
  return end
}
