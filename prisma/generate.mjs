// Generates the SQLite client and the PostgreSQL client from one schema.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { postgresqlSchema } from './postgresql-schema.mjs'

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
for (const schema of ['prisma/schema.prisma', twin]) {
  const done = spawnSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', schema], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
  })
  if (done.status !== 0) process.exit(1)
}

for (const kind of ['sqlite', 'postgresql']) {
  const file = `lib/db/generated/${kind}/internal/class.ts`
  writeFileSync(file, readingCompiler(readFileSync(file, 'utf8')))
}

/**
 * Prisma imports its query compiler as a module with the program in base64, which keeps the text twice for the life of the
 * process (8 MiB). Returns the source of a client that reads the text of that module, and drops it.
 */
function readingCompiler(source) {
  const found = /const \{ wasm \} = await import\("([^"]+)"\)/
  if (!found.test(source)) throw new Error('Prisma generated a client that loads its query compiler in an unknown way.')
  return source.replace(
    found,
    `const { readFile } = await import('node:fs/promises')
    const { createRequire } = await import('node:module')
    const text = await readFile(createRequire(import.meta.url).resolve("$1"), 'latin1')
    const wasm = text.slice(text.indexOf('"') + 1, text.lastIndexOf('"'))`,
  )
}
