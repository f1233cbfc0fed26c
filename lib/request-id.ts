import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Whatever is logged on behalf of a request bears its number, however deep it happens. */
export const withRequestId = <Result>(id: string, work: () => Result): Result => current.run(id, work)

export const currentRequestId = (): string | undefined => current.getStore()
