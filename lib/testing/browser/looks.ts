import type { Context } from '#lib/server/compose/context'

/** Wraps a context to count how often passwords and recovery codes are read for a comparison. */
export function countLooks(context: Context, onLook: () => void = () => undefined) {
  const counts = { passwords: 0, recoveryCodes: 0 }
  const { signIn, factors } = context
  const counted: Context = {
    ...context,
    signIn: {
      ...signIn,
      async findCredentials(login, now) {
        const found = await signIn.findCredentials(login, now)
        return found && lookedAt(found, () => counts.passwords++, onLook)
      },
    },
    factors: {
      ...factors,
      findRecoveryCode(personId, selector) {
        counts.recoveryCodes++
        return factors.findRecoveryCode(personId, selector)
      },
    },
  }
  return { context: counted, counts }
}

type Found = { passwordHash: string | undefined }

/** Counts the first read of the hash and reports every read. */
function lookedAt<Row extends Found>({ passwordHash, ...rest }: Row, count: () => void, onLook: () => void): Row {
  let wasRead = false
  const row = {
    ...rest,
    get passwordHash() {
      if (!wasRead) count()
      wasRead = true
      onLook()
      return passwordHash
    },
  }
  return row as unknown as Row
}
