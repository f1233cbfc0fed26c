import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

const others = ['mailauth', 'simplewebauthn', 'sharp', 'unpdf', 'openid-client', 'sdk-trace']

it.each([
  { url: 'file::memory:', own: 'better-sqlite3', other: ['adapter-pg', 'generated/postgresql'] },
  { url: 'postgresql://127.0.0.1:9/none', own: 'adapter-pg', other: ['generated/sqlite'] },
])('loads no library at the start that only some requests or the other database need: $url', ({ url, own, other }) => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { openDatabase } = await import('#lib/db/engine/client')
    await import('#lib/server/compose/context')
    await import('#lib/relay/inbound/server')
    const database = await openDatabase('${url}')
    await database.prisma.$queryRaw\`SELECT 1\`.catch(() => undefined)
    await database.close()
    process.stdout.write(loaded.join('\\n'))`
  const args = ['--input-type=module', '--eval', program]
  const loaded = execFileSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(loaded).toMatch(own)
  const heavy = [...others, ...other]
  expect(loaded.split('\n').filter((module) => heavy.some((name) => module.includes(name)))).toEqual([])
})
