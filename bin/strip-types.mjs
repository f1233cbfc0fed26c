// Writes the sources of the server without their types to .next/stripped, where load-stripped.mjs reads them. Each type
// becomes white space, so lines and columns stay. What Node need not keep in memory as a part of a source is left out.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const out = '.next/stripped'
const folders = ['app', 'lib', 'prisma']
const skipped = /\.test\.ts$|\.d\.ts$|^lib[\\/]testing[\\/]/
/** Comments of generated files have these signs, for which V8 would keep two bytes for each character of the file. */
const signsOfPrisma = /[🛑🟢]/gu
const found = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))

rmSync(out, { recursive: true, force: true })
for (const file of [...found, 'serve.ts', 'server.ts']) {
  if (!file.endsWith('.ts') || skipped.test(file)) continue
  mkdirSync(dirname(join(out, file)), { recursive: true })
  const source = readFileSync(file, 'utf8').replaceAll(signsOfPrisma, '!')
  writeFileSync(join(out, file), withoutTails(stripTypeScriptTypes(source), source))
}

/** Removes the white space that types left at the ends of lines. Lines that ended in white space before may be part of a text. */
function withoutTails(stripped, source) {
  const before = source.split('\n')
  return stripped
    .split('\n')
    .map((line, index) => (/\s$/.test(before[index] ?? '') ? line : line.trimEnd()))
    .join('\n')
}
