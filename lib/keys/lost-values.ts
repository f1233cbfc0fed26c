import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DerivedKeys, Purpose } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import type { SealedRows } from './reseal.ts'
import { purposesOf } from './seal-progress.ts'

/** The ids of rows by the purpose of their sealed value. */
export type LostValues = Partial<Record<Purpose, string[]>>

/**
 * Returns the rows whose sealed value no master key opens. `forget` also empties these values, so that no later check
 * reports them: an empty value is one that is lost.
 */
export async function findLost(
  secrets: DerivedKeys,
  tables: SealedRows[],
  { forget = false }: { forget?: boolean } = {},
): Promise<LostValues> {
  const lost: LostValues = {}
  for (const { purpose, list, replace } of tables) {
    const keys = purposesOf(purpose).flatMap(secrets.all)
    const ids: string[] = []
    for (let rows = await list(''); rows.length > 0; rows = await list(rows.at(-1)?.id as string)) {
      for (const { id, sealed } of rows) {
        if (openSealed(keys, sealed)) continue
        ids.push(id)
        if (forget) await replace(id, sealed, '')
      }
      await nextTurn()
    }
    if (ids.length > 0) lost[purpose] = ids
  }
  return lost
}
