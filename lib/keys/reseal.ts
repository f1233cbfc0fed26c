import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DerivedKeys, Purpose } from '#lib/crypto/derived-keys'
import { claimedType, openSealed, sealBytes } from '#lib/crypto/seal'

/** Rows with a sealed value that must stay readable after the previous master key is removed from the settings. */
export type SealedRows = {
  purpose: Purpose
  /** Lists a page of rows whose ids follow `after`, in order; an empty list at the end. */
  list(after: string): Promise<SealedRow[]>
  /** Replaces a sealed value unless another process has replaced it. */
  replace(id: string, before: string, after: string): Promise<void>
}

/**
 * Converts a sealed value from an older form into the current one; undefined if the value already has the current
 * form.
 */
export type Upgrade = (id: string, sealed: string) => Promise<string | undefined>

type SealedRow = { id: string; sealed: string }
type Upgrades = Partial<Record<Purpose, Upgrade>>

/** Seals values with the current master key that are sealed with the previous one (design §5). */
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
    // Reading SQLite is synchronous; without this pause, no other request would run until the last page.
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
