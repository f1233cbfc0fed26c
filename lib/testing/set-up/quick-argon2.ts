import { makeArgon2 } from '#lib/crypto/argon2/derive'
import { openQuickThread } from '#lib/testing/process/quick-argon2-thread'

const slot = globalThis as { __posternArgon2?: ReturnType<typeof makeArgon2> }

// On a busy machine, hundreds of hashes wait longer than the limit for a person; no test may fail for that.
slot.__posternArgon2 ??= makeArgon2({ waiting: 1000, patience: 60_000, openThread: openQuickThread })
