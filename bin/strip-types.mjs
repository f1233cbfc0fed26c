// Writes the sources of the server without their types to .next/stripped, where load-stripped.mjs reads them. Each type
// becomes white space, so lines and columns stay. White space at the ends of lines is removed, because Node keeps each
// source in memory.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const out = '.next/stripped'
const folders = ['app', 'lib', 'prisma']
const skipped = /\.test\.ts$|\.d\.ts$|^lib[\\/]testing[\\/]/
/** Emoji in comments of Prisma's clients. V8 stores a source with such a character in two bytes per character. */
const emoji = /[🛑🟢]/gu
const generated = join('lib', 'db', 'generated')
const found = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))

rmSync(out, { recursive: true, force: true })
for (const file of [...found, 'serve.ts', 'server.ts']) {
  if (!file.endsWith('.ts') || skipped.test(file)) continue
  mkdirSync(dirname(join(out, file)), { recursive: true })
  const text = readFileSync(file, 'utf8')
  const source = file.startsWith(generated) ? text.replaceAll(emoji, '!!') : text
  writeFileSync(join(out, file), trimLineEnds(stripTypeScriptTypes(source), source))
}

/** Removes white space at the ends of lines, except where the source has some: the line may be part of a template literal. */
function trimLineEnds(stripped, source) {
  const before = source.split('\n')
  return stripped
    .split('\n')
    .map((line, index) => (/\s$/.test(before[index] ?? '') ? line : line.trimEnd()))
    .join('\n')
}
