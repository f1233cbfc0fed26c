import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

it('loads no library at the start that only some requests or the other database need', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { openDatabase } = await import('#lib/db/engine/client')
    await import('#lib/server/compose/context')
    const database = await openDatabase('file::memory:')
    await database.prisma.$queryRaw\`SELECT 1\`
    await database.close()
    process.stdout.write(loaded.join('\\n'))`
  const args = ['--input-type=module', '--eval', program]
  const loaded = execFileSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(loaded).toMatch(/better-sqlite3/)
  const heavy = /mailauth|simplewebauthn|adapter-pg|generated\/postgresql|sharp|unpdf|openid-client|sdk-trace/
  expect(loaded.split('\n').filter((url) => heavy.test(url))).toEqual([])
})
