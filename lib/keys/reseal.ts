import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DerivedKeys, Purpose } from '#lib/crypto/derived-keys'
import { claimedType, openSealed, sealBytes } from '#lib/crypto/seal'
import { upgradeStoredTotp } from '#lib/sign-in/authenticator/totp-seal'

/** Rows with something sealed that lives longer than a previous master key is given. */
export type SealedRows = {
  purpose: Purpose
  /** Some rows after this one, in order; none at the end. */
  list(after: string): Promise<SealedRow[]>
  /** Replaces a seal that no other process has replaced yet. */
  replace(id: string, before: string, after: string): Promise<void>
}

type SealedRow = { id: string; sealed: string }
type Sealer = { secrets: DerivedKeys; now(): Date }

/** Seals anew, with today's master key, what the one before it sealed (design §5). */
export async function resealAll(sealer: Sealer, tables: SealedRows[]): Promise<void> {
  for (const table of tables) await reseal(sealer, table)
}

async function reseal(sealer: Sealer, { purpose, list, replace }: SealedRows): Promise<void> {
  const isRotating = sealer.secrets.all(purpose).length > 1
  if (!isRotating && purpose !== 'totp-of-person') return
  let rows = await list('')
  while (rows.length > 0) {
    for (const row of rows) {
      const renewed = await renew(sealer, purpose, row)
      if (renewed) await replace(row.id, row.sealed, renewed)
    }
    // Reading SQLite takes no turn of the event loop: requests pass between pages.
    await nextTurn()
    rows = await list(rows.at(-1)?.id as string)
  }
}

/** The row's content under today's key; undefined when it needs nothing, or does not open. */
async function renew(sealer: Sealer, purpose: Purpose, { id, sealed }: SealedRow): Promise<string | undefined> {
  const upgraded = purpose === 'totp-of-person' ? await upgradeStoredTotp(sealer, id, sealed) : undefined
  if (upgraded) return upgraded
  const [current, ...previous] = sealer.secrets.all(purpose)
  const content = await openSealed(previous, sealed)
  return current && content && sealBytes(current, content, claimedType(sealed))
}
