import { expect, it } from 'vitest'
import { explainFault, using } from './start-up-fault.ts'

const failing = (setting: Parameters<typeof using>[0], fault: unknown) =>
  using(setting, () => Promise.reject(fault)).catch(explainFault)
const fault = (code: string, message = code) => Object.assign(new Error(message), { code })

it.each([
  ['LISTEN_ISSUER', 'ENOTFOUND', 'names a host that does not exist'],
  ['METRICS_LISTEN', 'EADDRNOTAVAIL', 'is not an address of this machine'],
  ['RELAY_LISTEN', 'EACCES', 'needs a privilege'],
  ['RELAY_TLS_CERT', 'ENOENT', 'names a file that does not exist'],
] as const)('explains %s: %s, with an example', async (setting, code, sentence) => {
  expect(await failing(setting, fault(code))).toMatch(
    new RegExp(`^Postern cannot start: ${setting} ${sentence}.* Example: ${setting}=`),
  )
})

it.each([
  ['LISTEN_ISSUER', 3000, {}, 'port 3000 is in use', 'ISSUER=http://localhost:3010'],
  ['LISTEN_ACCOUNT', 3001, {}, 'port 3001 is in use', 'ACCOUNT_URL=http://localhost:3011'],
  ['LISTEN_ISSUER', 3000, { LISTEN_ISSUER: '127.0.0.1:3000' }, 'port 3000 is in use', 'LISTEN_ISSUER=localhost:3010'],
  ['LISTEN_ISSUER', 3000, { ISSUER: 'https://id.example.org' }, 'port 3000', 'LISTEN_ISSUER=localhost:3010'],
  ['DEMO_LISTEN', 3002, {}, 'port 3002 is in use', 'DEMO_LISTEN=localhost:3012'],
  ['RELAY_LISTEN', 2525, {}, 'port 2525 is in use', 'RELAY_LISTEN=localhost:2535'],
  ['METRICS_LISTEN', undefined, {}, 'the port is in use', 'METRICS_LISTEN='],
] as const)(
  'explains %s: names port %s and the setting that moves it',
  async (setting, port, env, sentence, example) => {
    const taken = Object.assign(fault('EADDRINUSE'), { port })
    const said = await using(setting, () => Promise.reject(taken)).catch((one: unknown) => explainFault(one, env))
    expect(said).toContain(`Postern cannot start: ${setting}: ${sentence}`)
    expect(said).toContain(`Example: ${example}`)
  },
)

it('says once what is wrong with a file, when the system has no code for it', async () => {
  expect(await failing('CITIES_FILE', new Error('is no file: /dev/zero'))).toBe(
    'Postern cannot start: CITIES_FILE is no file: /dev/zero. Example: CITIES_FILE=/var/lib/cities/GeoLite2-City.mmdb',
  )
})

it('distinguishes an unreachable database, a refusing one, a locked one and a file that is not a database', async () => {
  expect(await failing('DATABASE_URL', fault('ECONNREFUSED'))).toContain(
    'DATABASE_URL cannot be reached (ECONNREFUSED)',
  )
  expect(await failing('DATABASE_URL', new AggregateError([fault('ECONNREFUSED')]))).toContain('cannot be reached')
  expect(await failing('DATABASE_URL', fault('ENOENT', 'connect ENOENT /run/postgresql/.s.PGSQL.5432'))).toContain(
    'DATABASE_URL cannot be reached (connect ENOENT /run/postgresql/.s.PGSQL.5432). Is the database running',
  )
  expect(await failing('DATABASE_URL', fault('EACCES', 'connect EACCES /run/postgresql/.s.PGSQL.5432'))).toContain(
    'Check the permissions of its folder',
  )
  expect(await failing('DATABASE_URL', fault('28P01', 'password authentication failed'))).toContain('was refused')
  expect(await failing('DATABASE_URL', fault('55P03', 'The migration waits.'))).toBe(
    'Postern cannot start: The migration waits.',
  )
  expect(await failing('DATABASE_URL', fault('SQLITE_NOTADB', 'file is not a database'))).toContain(
    'DATABASE_URL cannot be used (file is not a database). Example:',
  )
})

it('names the setting that failed first, and masks addresses', async () => {
  const inner = using('LISTEN_ACCOUNT', () => Promise.reject(fault('EADDRINUSE')))
  expect(await failing('DEMO_LISTEN', await inner.catch((one: unknown) => one))).toContain('LISTEN_ACCOUNT')
  expect(explainFault(new Error('no such person: ada@example.org'))).toBe(
    'Postern cannot start: no such person: [address]',
  )
})

it('names a missing file of the program and the command that creates it', () => {
  const path = '/srv/postern/.next/server/middleware-manifest.json'
  const missing = Object.assign(fault('ENOENT', `ENOENT: no such file or directory, open '${path}'`), { path })
  expect(explainFault(missing)).toBe(`Postern cannot start: ${path} does not exist. npm start creates missing files.`)
})
