import type { Context } from './context.ts'

// Next bundles a copy of this module; the slot on globalThis gives both copies one context.
const slot = globalThis as { __posternContext?: Promise<Context> | undefined }

/**
 * Returns the context of the process; the first call opens it. No module may call it at import time, because a build
 * imports every route.
 */
export function getContext(): Promise<Context> {
  // A failure is not cached, so that the next request tries again.
  slot.__posternContext ??= openContext().catch((fault: unknown) => {
    slot.__posternContext = undefined
    throw fault
  })
  return slot.__posternContext
}

/** Each route has a bundle with a copy of its static imports; with static imports here, it would contain every part. */
const openContext = async () => (await import('./context.ts')).openFromEnvironment()
