// Writes the sources of the server without their types to .next/stripped, where load-stripped.mjs reads them. Each type
// becomes white space, so lines and columns stay.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const out = '.next/stripped'
const folders = ['app', 'lib', 'prisma']
const skipped = /\.test\.ts$|\.d\.ts$|^lib[\\/]testing[\\/]/
const found = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))

rmSync(out, { recursive: true, force: true })
for (const file of [...found, 'serve.ts', 'server.ts']) {
  if (!file.endsWith('.ts') || skipped.test(file)) continue
  mkdirSync(dirname(join(out, file)), { recursive: true })
  writeFileSync(join(out, file), stripTypeScriptTypes(readFileSync(file, 'utf8')))
}
