import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DerivedKeys, Purpose } from '#lib/crypto/derived-keys'
import { openSealed } from '#lib/crypto/seal'
import type { SealedRows } from './reseal.ts'

/** How many stored values of one kind each master key opens. */
export type SealProgress = { purpose: Purpose; current: number; previous: number; neither: number }

/** Values of an old form are sealed for an old purpose, until the job `reseal` converts them. */
const oldPurposes: Partial<Record<Purpose, Purpose>> = { 'totp-of-person': 'totp-at-rest' }

/** Returns the purposes for which the values of a table may be sealed. */
export const purposesOf = (purpose: Purpose): Purpose[] => {
  const old = oldPurposes[purpose]
  return old ? [purpose, old] : [purpose]
}

/** Opens every stored value, and counts by kind which master key it needs (design §5). */
export async function sealProgress(secrets: DerivedKeys, tables: SealedRows[]): Promise<SealProgress[]> {
  const all: SealProgress[] = []
  for (const table of tables) all.push(await progressOf(secrets, table))
  return all
}

async function progressOf(secrets: DerivedKeys, { purpose, list }: SealedRows): Promise<SealProgress> {
  const [current = [], previous = []] = [0, 1].map((age) =>
    purposesOf(purpose).flatMap((one) => secrets.all(one)[age] ?? []),
  )
  const counts = { purpose, current: 0, previous: 0, neither: 0 }
  for (let rows = await list(''); rows.length > 0; rows = await list(rows.at(-1)?.id as string)) {
    for (const { sealed } of rows) {
      if (openSealed(current, sealed)) counts.current += 1
      else if (openSealed(previous, sealed)) counts.previous += 1
      else counts.neither += 1
    }
    await nextTurn()
  }
  return counts
}
