import { readFileSync } from 'node:fs'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { freshUrl, type Kind, kinds } from '#lib/testing/databases/databases'
import { postgresqlSchema } from './postgresql-schema.mjs'
import { modelOf, openSchemaEngine } from './schema-engine.ts'

const model = readFileSync('prisma/schema.prisma', 'utf8')

async function driftOf(kind: Kind, schema: string): Promise<string | undefined> {
  const url = await freshUrl(kind)
  const inDialect = kind === 'sqlite' ? schema : postgresqlSchema(schema)
  const { factory, close } = live(kind, url)
  const engine = await openSchemaEngine(kind, inDialect, factory)
  const drift = await engine.drift(modelOf(inDialect))
  await close()
  return drift
}

function live(kind: Kind, url: string) {
  if (kind === 'sqlite') {
    const factory = new PrismaBetterSqlite3({ url })
    const connect = factory.connect.bind(factory)
    factory.connect = async () => {
      const adapter = await connect()
      const ask = adapter.queryRaw.bind(adapter)
      // The engine writes the name of a partial index in the quotes of a column.
      adapter.queryRaw = (query) => ask({ ...query, sql: query.sql.replace(/ name = "(\w+)";$/, " name = '$1';") })
      return adapter
    }
    return { factory: factory as SqlMigrationAwareDriverAdapterFactory, close: async () => undefined }
  }
  const pool = new pg.Pool({ connectionString: url })
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>
  // The engine cannot read PostgreSQL's one-byte "char", so the test returns it as text.
  pool.query = (async (...args: unknown[]) => {
    const answer = await ask(...args)
    for (const field of answer?.fields ?? []) if (field.dataTypeID === 18) field.dataTypeID = 25
    return answer
  }) as typeof pool.query
  return { factory: new PrismaPg(pool) as SqlMigrationAwareDriverAdapterFactory, close: () => pool.end() }
}

describe.each(kinds)('schema and migrations on %s', (kind) => {
  it('are equal', async () => {
    expect(await driftOf(kind, model)).toBeUndefined()
  })

  it('differ after a change of the schema', async () => {
    const changed = model.replace('model Team {', 'model Team {\n  motto String?')
    expect(await driftOf(kind, changed)).toContain('motto')
  })
})

it('keeps a copy of the current model beside the migrations', () => {
  expect(readFileSync('prisma/migrations/last.prisma', 'utf8')).toBe(model)
})
