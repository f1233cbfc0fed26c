import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { openDatabase } from '#lib/db/engine/client'
import { keyStore } from '#lib/db/keys/key-store'
import { openSigningKeys } from '#lib/keys/signing-keys'
import { emptyUrl, freshUrl } from '#lib/testing/databases/databases'
import { freePorts } from '#lib/testing/process/free-ports'
import { selfSigned } from '#lib/testing/process/self-signed'
import { openScriptedHop, type Script } from '#lib/testing/relay/scripted-hop'
import { makeDns, type Zone } from '#lib/testing/relay/zone'
import type { Finding } from './check.ts'
import { doctor } from './doctor.ts'

async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'postern-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [issuer, account, smtp] = (await freePorts(3)) as [number, number, number]
  const env = {
    DATA_DIR: join(folder, 'data'),
    ISSUER: `http://localhost:${issuer}`,
    ACCOUNT_URL: `http://localhost:${account}`,
  }
  const examine = async (more: Record<string, string> = {}, now = new Date(), zone: Zone = {}) => {
    const call = {
      args: [],
      flags: {},
      env: { ...env, ...more },
      now,
      random: () => Buffer.alloc(0),
      resolver: makeDns(zone).resolver,
      readStdin: async () => Buffer.alloc(0),
      say: () => undefined,
    }
    const { ok, value, text } = await doctor.run(call)
    const { checks } = value as { checks: Finding[] }
    return { ok, text, checks, of: (name: string) => checks.find((check) => check.name === name) }
  }
  return { dataDir: env.DATA_DIR, ports: { issuer, account, smtp }, examine }
}

async function listen(port: number, status = 200) {
  const server = createServer((_, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(port, resolve))
  onTestFinished(() => void server.close())
}

it('finds nothing wrong before the first start, and warns of what the start will create', async () => {
  const { examine } = await setUp()
  const { ok, text, checks } = await examine()
  expect(ok).toBe(true)
  expect(checks.filter((check) => check.state === 'warning').map((check) => check.name)).toEqual([
    'data folder',
    'secret key',
    'database',
    'ISSUER',
    'ACCOUNT_URL',
  ])
  expect(text).toContain('✓ settings')
})

it('reports each invalid setting, and checks nothing else', async () => {
  const { examine } = await setUp()
  const { ok, checks } = await examine({ LOG_LEVEL: 'loud', CODE_SECONDS: '1' })
  expect(ok).toBe(false)
  expect(checks.map((check) => [check.name, check.state])).toEqual([
    ['settings', 'wrong'],
    ['settings', 'wrong'],
  ])
})

it('finds a data folder that other users can enter', async () => {
  const { examine, dataDir } = await setUp()
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  expect((await examine()).of('data folder')).toMatchObject({ state: 'wrong', fix: `chmod 700 ${dataDir}` })
  chmodSync(dataDir, 0o700)
  expect((await examine()).of('data folder')?.state).toBe('ok')
})

it('finds a key file that other users can read', async () => {
  const { examine, dataDir } = await setUp()
  mkdirSync(dataDir, { mode: 0o700 })
  const file = join(dataDir, 'secret-key')
  writeFileSync(file, 'x', { mode: 0o644 })
  expect((await examine()).of('secret key')).toMatchObject({ state: 'wrong', fix: `chmod 600 ${file}` })
  chmodSync(file, 0o600)
  expect((await examine()).of('secret key')?.state).toBe('ok')
  expect((await examine({ SECRET_KEY: 'A'.repeat(43) })).of('secret key')?.message).toContain('comes from the settings')
})

it('finds a mail server that would get the password without TLS', async () => {
  const { examine } = await setUp()
  const hop = await openHop({ STARTTLS: '502 5.5.1 no such command' })
  const look = async (query = '') =>
    (await examine({ SMTP_URL: withPassword(hop.url).replace('127.0.0.1', '0.0.0.0') + query })).of('SMTP_URL')
  expect(await look()).toMatchObject({ state: 'wrong', message: expect.stringContaining('no STARTTLS') })
  expect(await look('?tls=never')).toMatchObject({ state: 'warning', message: expect.stringContaining('tls=never') })
  expect(hop.commands.filter((line) => line.startsWith('AUTH'))).toEqual([])
})

const ehloWithTls = '250-hop.example\r\n250-STARTTLS\r\n250 HELP'

it.each<{ name: string; script: Script; scheme?: string; says: string }>([
  { name: 'says nothing', script: { greeting: undefined }, says: 'does not greet' },
  { name: 'greets and says nothing more', script: { EHLO: undefined }, says: 'stops answering' },
  { name: 'does not answer STARTTLS', script: { EHLO: ehloWithTls }, says: 'stops answering' },
  {
    name: 'stalls in the TLS handshake after STARTTLS',
    script: { EHLO: ehloWithTls, STARTTLS: '220 go ahead' },
    says: 'stops answering',
  },
  { name: 'stalls in the TLS handshake', script: { greeting: undefined }, scheme: 'smtps', says: 'does not greet' },
])('gives up on a mail server that $name', async ({ script, scheme = 'smtp', says }) => {
  const { examine } = await setUp()
  const hop = await openHop(script)
  const { of } = await examine({ SMTP_URL: withPassword(hop.url).replace('smtp:', `${scheme}:`) })
  expect(of('SMTP_URL')).toMatchObject({ state: 'wrong', message: expect.stringContaining(says) })
})

it('finds a mail server with a self-signed certificate, and one that refuses connections', async () => {
  const { examine } = await setUp()
  const { key, cert } = selfSigned()
  const encrypt = (socket: Socket) => {
    socket.write('220 go ahead\r\n')
    socket.removeAllListeners('data')
    const files = { key: readFileSync(key), cert: readFileSync(cert) }
    new TLSSocket(socket, { isServer: true, ...files }).on('error', () => undefined)
  }
  const encrypted = await openHop({ EHLO: ehloWithTls, STARTTLS: encrypt })
  const closed = await openHop({ greeting: '554 5.7.1 go away' })
  const look = async (url: string) => (await examine({ SMTP_URL: url })).of('SMTP_URL')
  expect(await look(encrypted.url)).toMatchObject({ state: 'wrong', message: expect.stringContaining('self-signed') })
  expect(await look(closed.url)).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('554 5.7.1 go away'),
  })
})

const withPassword = (url: string) => url.replace('//', '//user:hunter22@')

async function openHop(script: Script) {
  const hop = await openScriptedHop(script)
  onTestFinished(hop.close)
  return hop
}

it('finds database files that other users can read', async () => {
  const { examine, dataDir } = await setUp()
  mkdirSync(dataDir, { mode: 0o700 })
  const file = join(dataDir, 'postern.db')
  const [wal, shm] = [`${file}-wal`, `${file}-shm`]
  for (const one of [file, wal, shm]) writeFileSync(one, '', { mode: 0o600 })
  expect((await examine()).of('database file')?.state).toBe('ok')
  chmodSync(wal, 0o640)
  chmodSync(shm, 0o604)
  const { ok, of } = await examine()
  expect([ok, of('database file')?.fix]).toEqual([false, `chmod 600 ${wal} ${shm}`])
  expect(statSync(wal).mode & 0o777).toBe(0o640)
})

it.each(['sqlite', 'postgresql'] as const)('accepts a migrated database on %s', async (kind) => {
  const { examine } = await setUp()
  const url = new URL(await freshUrl(kind))
  if (kind === 'postgresql') url.password = 'hunter22'
  const { of, text } = await examine({ DATABASE_URL: url.href })
  for (const name of ['database', 'migrations', 'clock', 'signing keys']) expect(of(name)?.state).toBe('ok')
  expect(text).not.toContain('hunter22')
})

it('finds signing keys that the master key does not open', async () => {
  const { examine } = await setUp()
  const url = await freshUrl('sqlite')
  const master = randomBytes(32)
  const database = await openDatabase(url)
  const now = () => new Date()
  await openSigningKeys({ store: keyStore(database.prisma), secrets: deriveKeys(master), now }, undefined)
  await database.close()
  const look = async (more: Record<string, string>) =>
    (await examine({ DATABASE_URL: url, ...more })).of('signing keys')
  const [key, other] = [master.toString('base64url'), 'A'.repeat(43)]
  expect((await look({ SECRET_KEY: key }))?.state).toBe('ok')
  expect((await look({ SECRET_KEY: other, SECRET_KEY_PREVIOUS: key }))?.state).toBe('ok')
  expect(await look({ SECRET_KEY: other })).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('does not open'),
  })
  expect(await look({})).toMatchObject({ state: 'wrong', message: expect.stringContaining('no key') })
})

it('warns of pending migrations and does not apply them', async () => {
  const { examine } = await setUp()
  const url = await emptyUrl('postgresql')
  for (let time = 0; time < 2; time++)
    expect((await examine({ DATABASE_URL: url })).of('migrations')?.state).toBe('warning')
})

it('finds a database that cannot be reached', async () => {
  const { examine, ports } = await setUp()
  const { ok, of } = await examine({ DATABASE_URL: `postgresql://postern:hunter22@127.0.0.1:${ports.smtp}/postern` })
  expect([ok, of('database')?.state]).toEqual([false, 'wrong'])
  expect(of('database')?.message).not.toContain('hunter22')
})

it('finds a clock in the past', async () => {
  const { examine } = await setUp()
  expect((await examine({}, new Date('2001-01-01T00:00:00Z'))).of('clock')?.state).toBe('wrong')
})

it('accepts a host that answers; finds one where another program answers', async () => {
  const { examine, ports } = await setUp()
  await listen(ports.issuer)
  await listen(ports.account, 404)
  const { of } = await examine()
  expect(of('ISSUER')?.state).toBe('ok')
  expect(of('ACCOUNT_URL')).toMatchObject({ state: 'wrong', message: expect.stringContaining('404') })
})

it('accepts a mail server that answers; finds one that does not', async () => {
  const { examine, ports } = await setUp()
  expect((await examine({ SMTP_URL: `smtp://user:hunter22@localhost:${ports.smtp}` })).of('SMTP_URL')?.state).toBe(
    'wrong',
  )
  const hop = await openHop({})
  const { of, text } = await examine({ SMTP_URL: withPassword(hop.url) })
  expect(of('SMTP_URL')?.state).toBe('ok')
  expect(text).not.toContain('hunter22')
})

it('says what a brand changes, and what is wrong with it', async () => {
  const { examine } = await setUp()
  expect((await examine()).of('brand')?.message).toBe('is ours; BRAND_DIR changes it.')
  const branded = await examine({ BRAND_DIR: 'deploy/brand' })
  expect(branded.of('brand')?.message).toMatch(/^deploy\/brand has .*logo\.svg.*home\.md; languages: en, ja, .*, fr\.$/)
  const { ok, text } = await examine({ BRAND_DIR: '/nowhere' })
  expect([ok, text?.includes('BRAND_DIR: /nowhere: the folder cannot be read.')]).toEqual([false, true])
})
