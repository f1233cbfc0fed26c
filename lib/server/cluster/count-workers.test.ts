import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { readConfig } from '#lib/server/settings/config'
import { countWorkers } from './count-workers.ts'

const postgres = { DATABASE_URL: 'postgresql://localhost/postern' }
const smtp = { SMTP_URL: 'smtp://localhost' }

it.each([
  [{}, 1, undefined],
  [{ WORKERS: '4' }, 1, /^SQLite/],
  [{ WORKERS: '4', ...postgres }, 1, /^the demo/],
  [{ WORKERS: '4', ...postgres, ...smtp }, 1, /^the demo/],
  [{ WORKERS: '4', ...postgres, DEMO: '0' }, 1, /^the demo/],
  [{ WORKERS: '4', ...postgres, ...smtp, DEMO: '0' }, 4, undefined],
  [{ WORKERS: 'auto', ...postgres, ...smtp, DEMO: '0' }, availableParallelism(), undefined],
])('counts the workers of %j', (env, count, reason) => {
  const counted = countWorkers(readConfig(env))
  expect(counted.count).toBe(count)
  if (reason) expect(counted.reason).toMatch(reason)
  else expect(counted.reason).toBeUndefined()
})

it.each(['0', '65', 'many'])('rejects WORKERS=%s', (WORKERS) => {
  expect(() => readConfig({ WORKERS })).toThrow('WORKERS must be ')
})
