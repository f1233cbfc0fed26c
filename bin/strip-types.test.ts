import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

it('starts a server without the compiler that strips types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-strip-'))
  for (const name of ['app', 'prisma', 'lib', 'bin']) mkdirSync(join(folder, name))
  for (const name of ['bin/strip-types.mjs', 'load-stripped.mjs']) cpSync(join(root, name), join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "imports": { "#lib/*": "./lib/*.ts" } }')
  mkdirSync(join(folder, 'lib/part'))
  writeFileSync(join(folder, 'lib/one.ts'), "export { one } from '#lib/part/two'\n")
  writeFileSync(
    join(folder, 'lib/part/two.ts'),
    "import { join } from 'node:path'\nexport const one = join('1') as string\n",
  )
  writeFileSync(join(folder, 'serve.ts'), '')
  writeFileSync(
    join(folder, 'server.ts'),
    `import { one } from './lib/one.ts'
    const loaded: string[] = (process as { moduleLoadList?: string[] }).moduleLoadList ?? []
    console.log(one, loaded.length > 0, loaded.some((name) => name.includes('amaro')))`,
  )
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim()
  // Without a stripped copy, Node strips the types itself.
  expect(run('--import=./load-stripped.mjs', 'server.ts')).toBe('1 true true')
  run('--no-warnings', 'bin/strip-types.mjs')
  expect(run('--import=./load-stripped.mjs', 'server.ts')).toBe('1 true false')
})
