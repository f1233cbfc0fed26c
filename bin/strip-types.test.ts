import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Returns a folder with the loader and a package that maps `#lib/`. */
function makeFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-strip-'))
  for (const name of ['app', 'prisma', 'lib', 'bin']) mkdirSync(join(folder, name))
  for (const name of ['bin/strip-types.mjs', 'load-stripped.mjs']) cpSync(join(root, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "imports": { "#lib/*": "./lib/*.ts" } }')
  for (const [name, text] of Object.entries({ 'serve.ts': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const runIn = (folder: string, ...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim()

it('starts a server without the compiler that strips types', () => {
  const folder = makeFolder({
    'lib/one.ts': "export { one } from '#lib/part/two'",
    'lib/part/two.ts': "import { join } from 'node:path'\nexport const one = join('1') as string",
    'server.ts': `import { one } from './lib/one.ts'
      const loaded: string[] = (process as { moduleLoadList?: string[] }).moduleLoadList ?? []
      console.log(one, loaded.length > 0, loaded.some((name) => name.includes('amaro')))`,
  })
  // Without a stripped copy, Node strips the types itself.
  expect(runIn(folder, '--import=./load-stripped.mjs', 'server.ts')).toBe('1 true true')
  runIn(folder, '--no-warnings', 'bin/strip-types.mjs')
  expect(runIn(folder, '--import=./load-stripped.mjs', 'server.ts')).toBe('1 true false')
})

it('loads a module once, however its importer writes its address', () => {
  const folder = makeFolder({
    'app/avatars/[file]/state.ts': 'export const state: object = {}',
    'app/avatars/[file]/near.ts': "export { state } from './state.ts'",
    'app/near.ts': "export { state } from './avatars/[file]/state.ts'",
    'server.ts': `import { pathToFileURL } from 'node:url'
      import * as near from './app/near.ts'
      const address = pathToFileURL('app/avatars/[file]/').href
      const [there, same] = [await import(address + 'state.ts'), await import(address + 'near.ts')]
      console.log(near.state === there.state, same.state === there.state)`,
  })
  runIn(folder, '--no-warnings', 'bin/strip-types.mjs')
  expect(runIn(folder, '--import=./load-stripped.mjs', 'server.ts')).toBe('true true')
})

it('keeps each line and column, and removes the white space of types and the emoji of generated comments', () => {
  const folder = makeFolder({
    'lib/one.ts': [
      '/* 🛑 own */',
      'type Long = { name: string }',
      'export const spaced: string = `a  ',
      'b` as string',
    ].join('\n'),
    'lib/db/generated/two.ts': '/* 🛑 generated */',
    'server.ts': '',
  })
  runIn(folder, '--no-warnings', 'bin/strip-types.mjs')
  const read = (file: string) => readFileSync(join(folder, '.next/stripped/lib', file), 'utf8').split('\n')
  expect(read('db/generated/two.ts')).toEqual(['/* !! generated */'])
  expect(read('one.ts')).toEqual(['/* 🛑 own */', '', 'export const spaced         = `a  ', 'b`'])
})
