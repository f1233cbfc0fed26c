// Generates the SQLite client and the PostgreSQL client from one schema.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { postgresqlSchema } from './postgresql-schema.mjs'
import { smallerClient } from './smaller-client.mjs'

const twin = 'node_modules/.postern/postgresql.prisma'
mkdirSync('node_modules/.postern', { recursive: true })
// A copy of the checkout made with hard links shares this file; writing into it would change the schema of the copy.
rmSync(twin, { force: true })
writeFileSync(
  twin,
  postgresqlSchema(readFileSync('prisma/schema.prisma', 'utf8')).replace(
    '"../lib/db/generated/sqlite"',
    // Relative to the copy: the clients contain their schema, and must not differ between checkouts.
    '"../../lib/db/generated/postgresql"',
  ),
)
for (const [kind, schema] of [
  ['sqlite', 'prisma/schema.prisma'],
  ['postgresql', twin],
]) {
  const done = spawnSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', schema], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
  })
  if (done.status !== 0) process.exit(1)
  const folder = `lib/db/generated/${kind}/internal`
  const readModule = (name) => readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')
  const { source, wasm } = smallerClient(readFileSync(`${folder}/class.ts`, 'utf8'), folder, readModule)
  writeFileSync(`${folder}/class.ts`, source)
  writeFileSync(`${folder}/compiler.wasm`, wasm)
}
