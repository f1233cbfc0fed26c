import { raw } from '@prisma/client/runtime/client'
import type { Database } from '#lib/db/engine/client'

/** The columns that have an index in byte order, on both databases. */
type Column =
  | { table: 'Person'; column: 'username' }
  | { table: 'Team'; column: 'skeleton' }
  | { table: 'App'; column: 'id' }

/**
 * Returns the ids of the rows whose column begins with a text and is greater than `after`, in order. Compares bytes, so
 * that the order and the index do not depend on the locale of a PostgreSQL database.
 */
export async function idsByBeginning(
  { prisma, kind }: Pick<Database, 'prisma' | 'kind'>,
  { table, column }: Column,
  { beginning, after, most }: { beginning: string; after: string; most: number },
): Promise<string[]> {
  const bytes = raw(`"${column}" COLLATE ${kind === 'sqlite' ? 'BINARY' : '"C"'}`)
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${raw(`"${table}"`)}
    WHERE ${bytes} >= ${beginning} AND ${bytes} < ${`${beginning}\u{10ffff}`} AND ${bytes} > ${after}
    ORDER BY ${bytes} LIMIT ${most}`
  return rows.map(({ id }) => id)
}
