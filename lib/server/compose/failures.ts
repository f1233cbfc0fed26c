import { mostDistinct, mostOfCause, mostWaiting } from '#lib/console/failures/failure'
import { keepFailure, type RefusalOfApp } from '#lib/console/failures/keep-failure'
import { openSourceLimit } from '#lib/console/failures/source-limit'
import { failureQueue } from '#lib/db/failures/failure-queue'
import { currentRequest } from '#lib/queue/current-request'
import type { Parts } from './parts.ts'

/** Records refusals for the developers of apps, after the answers are sent; never awaited. */
export type RecordFailure = (refusal: RefusalOfApp, count?: number) => void

/** Composes the recent failures of apps (design §9). */
export function composeFailures({ database, log, now }: Pick<Parts, 'database' | 'log' | 'now'>): RecordFailure {
  const write = failureQueue(database.prisma, { mostDistinct, mostOfCause, mostWaiting }, (err) =>
    log.warn({ err }, 'a refusal could not be recorded'),
  )
  const limited = openSourceLimit(now)
  return (refusal, count) => {
    const failure = keepFailure(refusal, now())
    // Work without a request, such as a delivery, is the service's own.
    const address = currentRequest()?.address
    write(address === undefined ? failure : limited(failure, address), count)
  }
}
