import { openDatabase } from '#lib/db/engine/client'
import { freshUrl } from './databases.ts'

/** Opens an empty PostgreSQL database that notes each statement it is asked, and explains how it runs them. */
export async function openNotedPostgres() {
  const database = await openDatabase(await freshUrl('postgresql'))
  if (database.kind !== 'postgresql') throw new Error('This database is not PostgreSQL.')
  const { pool } = database
  const asked: Asked[] = []
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  pool.query = ((...args: unknown[]) => {
    const { text, values } = args[0] as { text: string; values?: unknown[] }
    asked.push({ sql: text, values: values ?? (args[1] as unknown[]) })
    return ask(...args)
  }) as typeof pool.query
  return {
    database,
    asked,
    /** Returns the plan of each statement, explained by `command` in one session after `setting`. */
    async explain(statements: Asked[], command: string, setting?: string): Promise<string[]> {
      const connection = await pool.connect()
      try {
        if (setting) await connection.query(setting)
        const plans: string[] = []
        for (const { sql, values } of statements) {
          const { rows } = await connection.query(`${command} ${sql}`, values)
          plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
        }
        return plans
      } finally {
        connection.release()
      }
    },
  }
}

type Asked = { sql: string; values: unknown[] | undefined }
