import { AsyncLocalStorage } from 'node:async_hooks'

/** The request that the running code handles, as far as the library needs it. */
export type CurrentRequest = {
  id: string
  /** The client's address, after trusted proxies. */
  address: string
  /** Returns a signal that aborts when the client disconnects before it has its answer. */
  abandoned(): AbortSignal
  /** The account that the known-browser cookie names. */
  knownAccount?: string
  /** True once the request was answered because its deadline passed; its handler may change nothing after that. */
  isOver?: boolean
}

const current = new AsyncLocalStorage<CurrentRequest>()

export const withRequest = <Result>(request: CurrentRequest, work: () => Result): Result => current.run(request, work)

export const currentRequest = (): CurrentRequest | undefined => current.getStore()

/** Runs work outside the request that started it, such as a write that several requests share. */
export const outsideRequests = <Result>(work: () => Result): Result => current.exit(work)
