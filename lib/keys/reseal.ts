import type { DerivedKeys, Purpose } from './master-key.ts'
import { openSealed, sealBytes } from './seal.ts'

/** Rows with something sealed that lives longer than a previous master key is given. */
export type SealedRows = {
  purpose: Purpose
  /** Some rows after this one, in order; none at the end. */
  list(after: string): Promise<{ id: string; sealed: string }[]>
  /** Replaces a seal that nobody has replaced yet. */
  replace(id: string, before: string, after: string): Promise<void>
}

/** Seals anew, with today's master key, what the one before it sealed (design §5). */
export async function resealAll(secrets: DerivedKeys, tables: SealedRows[]): Promise<void> {
  for (const table of tables) await reseal(secrets, table)
}

async function reseal(secrets: DerivedKeys, { purpose, list, replace }: SealedRows): Promise<void> {
  const [current, ...previous] = secrets.all(purpose)
  if (!current || previous.length === 0) return
  let rows = await list('')
  while (rows.length > 0) {
    for (const { id, sealed } of rows) {
      const content = await openSealed(previous, sealed)
      if (content) await replace(id, sealed, await sealBytes(current, content))
    }
    rows = await list(rows.at(-1)?.id as string)
  }
}
