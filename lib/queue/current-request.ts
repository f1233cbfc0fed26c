import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that the running code serves. */
export type CurrentRequest = {
  id: string
  /** The client's address, after trusted proxies. */
  address: string
  /** Aborts when the client disconnects before it has its answer. */
  abandoned(): AbortSignal
  /** The account that this known browser signs in to. */
  knownAccount?: string
  /** True after the request was answered because its deadline passed; no further work may be done for it. */
  isOver?: boolean
}

const current = new AsyncLocalStorage<CurrentRequest>()

export const withRequest = <Result>(request: CurrentRequest, work: () => Result): Result => current.run(request, work)

export const currentRequest = (): CurrentRequest | undefined => current.getStore()

/** Runs work that does not belong to the request that started it, such as a shared queue. */
export const outsideRequests = <Result>(work: () => Result): Result => current.exit(work)
