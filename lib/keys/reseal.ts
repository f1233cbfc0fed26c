import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DerivedKeys, Purpose } from '#lib/crypto/derived-keys'
import { claimedType, openSealed, sealBytes } from '#lib/crypto/seal'

/** Rows with a sealed value that outlives the time for which a previous master key is given. */
export type SealedRows = {
  purpose: Purpose
  /** Lists some rows after this one, in order; an empty list at the end. */
  list(after: string): Promise<SealedRow[]>
  /** Replaces a sealed value unless another process has replaced it. */
  replace(id: string, before: string, after: string): Promise<void>
}

/** Seals a value of an older form in the current form; undefined for a value that has it already. */
export type Upgrade = (id: string, sealed: string) => Promise<string | undefined>

type SealedRow = { id: string; sealed: string }
type Upgrades = Partial<Record<Purpose, Upgrade>>

/** Seals values again with the current master key if they are sealed with the previous one (design §5). */
export async function resealAll(secrets: DerivedKeys, tables: SealedRows[], upgrades: Upgrades = {}): Promise<void> {
  for (const table of tables) await reseal(secrets, table, upgrades[table.purpose])
}

async function reseal(secrets: DerivedKeys, { purpose, list, replace }: SealedRows, upgrade?: Upgrade): Promise<void> {
  const isRotating = secrets.all(purpose).length > 1
  if (!isRotating && !upgrade) return
  let rows = await list('')
  while (rows.length > 0) {
    for (const row of rows) {
      const renewed = (await upgrade?.(row.id, row.sealed)) ?? (await renew(secrets, purpose, row))
      if (renewed) await replace(row.id, row.sealed, renewed)
    }
    // Reading SQLite takes no turn of the event loop: requests pass between pages.
    await nextTurn()
    rows = await list(rows.at(-1)?.id as string)
  }
}

/** Returns the value sealed with the current key; undefined if the previous key does not open it. */
async function renew(secrets: DerivedKeys, purpose: Purpose, { sealed }: SealedRow): Promise<string | undefined> {
  const [current, ...previous] = secrets.all(purpose)
  const content = await openSealed(previous, sealed)
  return current && content && sealBytes(current, content, claimedType(sealed))
}
