/**
 * Milliseconds without work after which a thread ends; the next work starts another one. A thread that does nothing takes 7
 * MiB, and its start about 75 ms of processor time beside the main thread (decision 0076).
 */
export const restDelay = 30_000
