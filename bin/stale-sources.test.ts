import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** A checkout with one module and a build that copies it. With EDIT, the module changes while the build runs. */
const files = {
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{ "packages": { "": {} } }',
  'node_modules/.package-lock.json': '{ "packages": {} }',
  'node_modules/next/dist/bin/next': `
    const fs = require('node:fs')
    fs.rmSync('.next', { recursive: true, force: true })
    fs.mkdirSync('.next')
    fs.cpSync('lib/one.ts', '.next/BUILD_ID')
    if (process.env.EDIT) fs.writeFileSync('lib/one.ts', 'export const one: string = "edited"')`,
  'prisma/generate.mjs': '',
  'lib/db/generated/sqlite/internal/compiler.wasm': '',
  'lib/db/generated/postgresql/internal/compiler.wasm': '',
  'app/page.ts': '',
  'serve.ts': '',
  'server.ts': '',
  'go.mjs': `import { prepare } from './bin/prepare.mjs'\nawait prepare({ build: true })`,
}

it('runs no sources that were there only while the pages were built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-stale-'))
  cpSync(join(import.meta.dirname, '.'), join(folder, 'bin'), { recursive: true })
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const prepare = (env = {}) =>
    execFileSync(process.execPath, ['go.mjs'], { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' })
  const stripped = () => readFileSync(join(folder, '.next/stripped/lib/one.ts'), 'utf8')
  write('lib/one.ts', 'export const one: string = "first"')
  prepare({ EDIT: '1' })
  expect(stripped()).toContain('edited')
  write('lib/one.ts', 'export const one: string = "first"')
  prepare()
  expect(stripped()).toContain('first')
  write('serve.ts', 'export const served: number = 1')
  prepare()
  expect(readFileSync(join(folder, '.next/stripped/serve.ts'), 'utf8')).toContain('served')
})
