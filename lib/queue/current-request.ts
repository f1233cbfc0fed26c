import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that the running code works for, however deep. */
export type CurrentRequest = {
  id: string
  /** The client's address, after trusted proxies. */
  address: string
  /** Aborts when the client goes away before it has its answer. */
  abandoned(): AbortSignal
  /** The account that the browser is known for and now signs in to. */
  knownAccount?: string
  /** The request was answered for lateness: nothing more is done for it. */
  isOver?: boolean
}

const current = new AsyncLocalStorage<CurrentRequest>()

export const withRequest = <Result>(request: CurrentRequest, work: () => Result): Result => current.run(request, work)

export const currentRequest = (): CurrentRequest | undefined => current.getStore()

/** Runs work that outlives the request that began it, such as a queue's. */
export const outsideRequests = <Result>(work: () => Result): Result => current.exit(work)
