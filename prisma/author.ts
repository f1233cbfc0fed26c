// npm run migration -- NAME: writes the SQL that turns the last migration's model into the current one, for both
// databases.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { postgresqlSchema } from './postgresql-schema.mjs'
import { modelOf, openSchemaEngine, type Provider } from './schema-engine.ts'

const name = process.argv[2] ?? ''
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Name the migration in lower-case words: npm run migration -- add_sessions')
  process.exit(1)
}
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
const today = readFileSync('prisma/schema.prisma', 'utf8')
for (const provider of ['sqlite', 'postgresql'] as const) {
  const sql = await sqlSinceLast(provider)
  if (!sql) {
    console.log(`${provider}: nothing to change`)
    continue
  }
  const folder = `prisma/migrations/${provider}/${stamp}_${name}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/migration.sql`, sql)
  console.log(`${provider}: ${folder}/migration.sql — read it before you commit it`)
}
writeFileSync('prisma/migrations/last.prisma', today)

async function sqlSinceLast(provider: Provider): Promise<string> {
  const inDialect = (schema: string) => (provider === 'sqlite' ? schema : postgresqlSchema(schema))
  const engine = await openSchemaEngine(provider, inDialect(today))
  const last = 'prisma/migrations/last.prisma'
  const from = existsSync(last) ? modelOf(inDialect(readFileSync(last, 'utf8'))) : ({ tag: 'empty' } as const)
  const sql = await engine.script(from, modelOf(inDialect(today)))
  if (/^-- This is an empty migration/m.test(sql)) return ''
  // The schema "public" exists already, and creating it would require rights on the whole database.
  return sql.replace(/-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n+/, '')
}
