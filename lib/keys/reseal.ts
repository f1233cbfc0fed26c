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

/** `goOn` returns false when no further page may begin; a later run does the rest. */
type Options = { upgrades?: Upgrades; goOn?(): boolean }

/**
 * Seals values with the current master key that are sealed with the previous one (design §5), and returns how many it
 * sealed.
 */
export async function resealAll(secrets: DerivedKeys, tables: SealedRows[], options: Options = {}): Promise<number> {
  let total = 0
  for (const table of tables) total += await reseal(secrets, table, options)
  return total
}

async function reseal(secrets: DerivedKeys, table: SealedRows, { upgrades, goOn = () => true }: Options) {
  const { purpose, list, replace } = table
  const upgrade = upgrades?.[purpose]
  const isRotating = secrets.all(purpose).length > 1
  if (!isRotating && !upgrade) return 0
  let total = 0
  let rows = await list('')
  while (rows.length > 0 && goOn()) {
    for (const row of rows) {
      const renewed = (await upgrade?.(row.id, row.sealed)) ?? renew(secrets, purpose, row)
      if (!renewed) continue
      await replace(row.id, row.sealed, renewed)
      total += 1
    }
    // Reading SQLite is synchronous; without this pause, no other request would run until the last page.
    await nextTurn()
    rows = await list(rows.at(-1)?.id as string)
  }
  return total
}

/** Returns the value sealed with the current key; undefined if the previous key does not open it. */
function renew(secrets: DerivedKeys, purpose: Purpose, { sealed }: SealedRow): string | undefined {
  const [current, ...previous] = secrets.all(purpose)
  const content = openSealed(previous, sealed)
  return current && content && sealBytes(current, content, claimedType(sealed))
}
