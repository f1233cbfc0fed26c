import { readFileSync } from 'node:fs'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'

export type Provider = 'sqlite' | 'postgresql'
type Target = Parameters<bindings.SchemaEngine['diff']>[0]['from']

/** Opens Prisma's schema engine in WebAssembly, which compares two models, or a model with a live database. */
export async function openSchemaEngine(
  provider: Provider,
  schema: string,
  live?: SqlMigrationAwareDriverAdapterFactory,
) {
  await load()
  const adapter = bindMigrationAwareSqlAdapterFactory(live ?? absentDatabase(provider))
  const engine = await bindings.SchemaEngine.new({ datamodels: [['schema.prisma', schema]] }, () => undefined, adapter)
  return {
    /** Returns the SQL that turns one model into another; empty when they are equal. */
    script: async (from: Target, to: Target) => (await diff(engine, from, to, true)).stdout ?? '',
    /** Describes the difference between the database and the model; undefined when there is none. */
    drift: async (to: Target) => {
      const from: Target = {
        tag: 'schemaDatasource',
        files: [{ path: 'schema.prisma', content: schema }],
        configDir: '.',
      }
      const result = await diff(engine, from, to, false)
      return result.exitCode === 0 ? undefined : (result.stdout ?? 'an unnamed difference')
    },
  }
}

export const modelOf = (schema: string): Target => ({
  tag: 'schemaDatamodel',
  files: [{ path: 'schema.prisma', content: schema }],
})

const diff = (engine: bindings.SchemaEngine, from: Target, to: Target, script: boolean) =>
  engine.diff({ from, to, script, exitCode: true, filters: { externalTables: [], externalEnums: [] } })

let loaded: Promise<void> | undefined
const load = () => {
  loaded ??= instantiate()
  return loaded
}

async function instantiate() {
  const at = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'))
  const { instance } = await WebAssembly.instantiate(readFileSync(at), {
    './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports,
  })
  const wasm = bindings as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void }
  wasm.__wbg_set_wasm(instance.exports)
  ;(instance.exports.__wbindgen_start as () => void)()
}

/** A stand-in for a database: comparing two models queries only the version. */
function absentDatabase(provider: Provider): SqlMigrationAwareDriverAdapterFactory {
  const postgres = { columnNames: ['a', 'b', 'c'], columnTypes: [5, 7, 0], rows: [[true, 'PostgreSQL 15.0', 150000]] }
  const sqlite = { columnNames: ['v'], columnTypes: [7], rows: [['3.50.0']] }
  const adapter = {
    provider: provider === 'sqlite' ? 'sqlite' : 'postgres',
    adapterName: 'absent',
    queryRaw: async () => (provider === 'sqlite' ? sqlite : postgres),
    executeRaw: async () => 0,
    executeScript: async () => undefined,
    startTransaction: async () => Promise.reject(new Error('there is no database')),
    dispose: async () => undefined,
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: false }),
  }
  const factory = { ...adapter, connect: async () => adapter, connectToShadowDb: async () => adapter }
  return factory as unknown as SqlMigrationAwareDriverAdapterFactory
}
