import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePorts } from '#lib/testing/process/free-ports'
import { aptInstall, onPath } from '../../bin/apt.mjs'
import { Machine } from './machine.ts'
import { programsOfThreads } from './programs-of-threads.ts'
import { dropIn, spawnInUnit, startUnit, unitFile } from './unit.ts'

test.describe.configure({ mode: 'serial', timeout: 600_000 })

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'release')
const names = () => readdirSync(folder).toSorted()
const archive = () => names().find((name) => name.endsWith('.tar.gz')) ?? ''
const debian = () => names().find((name) => name.endsWith('.deb')) ?? ''
const makeRelease = (cwd = root) => execFileSync('node', ['bin/release.mjs', '--uncommitted'], { cwd, stdio: 'pipe' })

/** Copies the checkout with its packages, without what was built in it, to another folder. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'postern-elsewhere-'))
  const commands = `git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$0"
    cp -a .git "$0"; cp -al node_modules "$0"; rm -rf "$0/node_modules/.postern" "$0/node_modules/.cache"`
  execFileSync('sh', ['-c', commands, copy], { cwd: root, stdio: 'pipe' })
  return copy
}

let machine: Machine
const secretKey = randomBytes(32).toString('base64url')

test.beforeAll(async () => {
  test.setTimeout(600_000)
  for (const [program, name] of [
    ['bwrap', 'bubblewrap'],
    ['systemd-analyze', 'systemd'],
  ] as const)
    if (!onPath(program)) await aptInstall(name)
  if (spawnSync('/usr/bin/python3', ['-c', 'import seccomp']).status !== 0) await aptInstall('python3-seccomp')
  makeRelease()
  machine = Machine.open()
})

test.afterAll(() => machine?.close())

test('makes the same archive, package, bill of materials and checksums in another folder', () => {
  const first = names().map((name) => [name, readFileSync(join(folder, name))] as const)
  expect(first.map(([name]) => name.replace(/\d+\.\d+\.\d+/, 'V'))).toEqual([
    'SHA256SUMS',
    `postern-V-linux-${process.arch}.cdx.json`,
    `postern-V-linux-${process.arch}.tar.gz`,
    expect.stringMatching(/^postern_V_\w+\.deb$/),
  ])
  const copy = copyCheckout()
  // A file of no commit must not change the release.
  mkdirSync(join(copy, 'screens'))
  writeFileSync(join(copy, 'screens', 'page.webp'), '')
  makeRelease(copy)
  for (const [name, bytes] of first) expect(readFileSync(join(copy, 'release', name)).equals(bytes), name).toBe(true)
  rmSync(copy, { recursive: true })
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' })
})

test('installs the package without a network, creates the user and keeps the settings at an upgrade', () => {
  const put = machine.path('tmp/postern.deb')
  cpSync(join(folder, debian()), put)
  // Dependencies come from the distribution, so they are on a server before.
  const install = () =>
    machine.run('unshare', '--net', 'dpkg', '--force-confold', '--force-unsafe-io', '--install', '/tmp/postern.deb')
  install()
  expect(machine.run('stat', '-c', '%U %G %a', '/etc/postern/postern.env', '/var/lib/postern').split('\n')).toEqual([
    'root postern 640',
    'postern postern 700',
    '',
  ])
  expect(machine.run('getent', 'passwd', 'postern')).toMatch(/:\/var\/lib\/postern:\/usr\/sbin\/nologin\n$/)
  writeFileSync(machine.path('etc/postern/postern.env'), 'ISSUER=https://id.example.org\n')
  install()
  expect(readFileSync(machine.path('etc/postern/postern.env'), 'utf8')).toBe('ISSUER=https://id.example.org\n')
  expect(machine.run('dpkg', '--verify', 'postern').replace(/^.* c .*\n/gm, '')).toBe('')
})

test('has the same files in the archive and in the package', () => {
  const unpacked = mkdtempSync(join(tmpdir(), 'postern-archive-'))
  try {
    execFileSync('tar', ['-xzf', join(folder, archive()), '-C', unpacked])
    const [tree = ''] = readdirSync(unpacked)
    execFileSync('diff', ['-r', '--no-dereference', join(unpacked, tree), machine.path('usr/lib/postern')], {
      stdio: 'pipe',
    })
    const isDeveloped = (name: string) => /\.test\.tsx?$|\.map$|(^|\/)lib\/testing\//.test(name)
    expect((readdirSync(join(unpacked, tree), { recursive: true }) as string[]).filter(isDeveloped)).toEqual([])
    const named = spawnSync('grep', ['-rlF', root, join(unpacked, tree, '.next'), join(unpacked, tree, 'lib')])
    expect(named.stdout.toString()).toBe('')
    // No import names the program of a thread.
    const programs = programsOfThreads(join(unpacked, tree, 'lib'))
    expect(programs.filter((path) => !existsSync(path))).toEqual([])
    expect(programs.length).toBeGreaterThan(5)
  } finally {
    rmSync(unpacked, { recursive: true })
  }
})

test('gives the unit an exposure of 2.0 or less, and more time to stop than the server takes', () => {
  const text = execFileSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', '--no-pager', unitFile])
  const [, exposure = '10'] = /Overall exposure level for postern\.service: ([\d.]+)/.exec(text.toString()) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(2)
  const verified = execFileSync('systemd-analyze', ['verify', '--man=no', `--root=${machine.root}`, 'postern.service'])
  expect(verified.toString()).toBe('')
})

test('runs in the sandbox of the unit, serves pages and the protocol, and stops cleanly', async () => {
  const [issuer = 0, account = 0, metrics = 0] = await freePorts(3)
  configure(issuer, account, metrics)
  const server = await startUnit(machine, `127.0.0.1:${metrics}`)
  const discovery = await ask(issuer, 'id.example.org', '/.well-known/openid-configuration')
  expect(JSON.parse(discovery.text)).toMatchObject({ issuer: 'https://id.example.org' })
  const page = await ask(account, 'account.example.org', '/signin')
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('type="password"') })
  for (const [port, host] of [
    [issuer, 'id.example.org'],
    [account, 'account.example.org'],
  ] as const)
    expect((await ask(port, host, '/.well-known/security.txt')).text).toContain(`Canonical: https://${host}/`)
  const files = [...page.text.matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|svg)[^"]*)"/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(0)
  for (const path of files) expect((await ask(account, 'account.example.org', path)).status, path).toBe(200)
  const declaration = JSON.stringify({ people: [{ username: 'ada', password: 'correct horse battery' }] })
  expect(machine.runWith(['postern', 'apply', '-'], { env: {}, input: declaration })).toContain('ada')
  expect(machine.run('find', '/var/lib/postern', '!', '-user', 'postern')).toBe('')
  expect(await server.stop(), server.output()).toBe(0)
  expect(server.output()).toContain('"stopped"')
  expect(server.output()).not.toContain('DELETION_JOURNAL')
})

test('can write the deletion journal in the sandbox, and says so at the start when it cannot', async () => {
  const write = spawnInUnit(machine, ['touch', '/var/backups/postern/deleted'])
  expect((await once(write, 'close'))[0]).toBe(0)
  const [issuer = 0, account = 0, metrics = 0] = await freePorts(3)
  configure(issuer, account, metrics)
  machine.run('rm', '-r', '/var/backups/postern')
  const server = await startUnit(machine, `127.0.0.1:${metrics}`)
  await server.stop()
  expect(server.output()).toContain('DELETION_JOURNAL /var/backups/postern/deleted cannot be written (ENOENT)')
})

test('takes the secret key from a command, as docs/install.md says', async () => {
  const [issuer = 0, account = 0, metrics = 0] = await freePorts(3)
  configure(issuer, account, metrics)
  writeFileSync(machine.path('usr/local/bin/vault'), `#!/bin/sh\necho ${secretKey}\n`, { mode: 0o755 })
  appendFileSync(machine.path('etc/postern/postern.env'), 'SECRET_KEY_COMMAND=/usr/local/bin/vault\n')
  const guide = readFileSync(join(root, 'docs/install.md'), 'utf8')
  const [, override = ''] = /^```ini\n(\[Service\]\nLoadCredential=\n[^`]*)```$/m.exec(guide) ?? []
  mkdirSync(machine.path(dirname(dropIn)), { recursive: true })
  writeFileSync(machine.path(dropIn), override)
  try {
    const server = await startUnit(machine, `127.0.0.1:${metrics}`)
    expect(machine.run('postern', 'nodes')).toContain('0.1.0')
    expect(await server.stop(), server.output()).toBe(0)
    rmSync(machine.path('etc/postern/secret-key'))
    expect(machine.run('postern', 'keys', 'sealed')).toContain('current')
  } finally {
    rmSync(machine.path(dropIn))
    configure(issuer, account, metrics)
  }
})

test('keeps the sandbox shut: no writing outside the state folder, no privileges, no forbidden call', async () => {
  const tries = {
    'touch /usr/lib/postern/x': 'Read-only',
    'touch /etc/postern/x': 'Read-only',
    'touch /var/lib/x': 'Read-only',
    'mount -t tmpfs none /tmp': 'Operation not permitted|must be superuser|permission denied',
    'unshare --user true': 'Operation not permitted',
    '/usr/sbin/chroot / true': 'Operation not permitted',
    'cat /etc/shadow': 'Permission denied',
    'cat /etc/postern/secret-key': 'Permission denied',
    'node -e "require(\'dgram\')"': 'not found',
  }
  for (const [command, refusal] of Object.entries(tries)) {
    const child = spawnInUnit(machine, ['sh', '-c', command])
    let output = ''
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    await once(child, 'close')
    expect(output, command).toMatch(new RegExp(refusal))
  }
})

/** Configures the machine as docs/install.md says. */
function configure(issuer: number, account: number, metrics: number): void {
  const settings = {
    ISSUER: 'https://id.example.org',
    ACCOUNT_URL: 'https://account.example.org',
    LISTEN_ISSUER: `127.0.0.1:${issuer}`,
    LISTEN_ACCOUNT: `127.0.0.1:${account}`,
    METRICS_LISTEN: `127.0.0.1:${metrics}`,
    TRUST_PROXY: '127.0.0.1',
    DATA_DIR: '/var/lib/postern',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ROLES: 'web,jobs',
    DRAIN_SECONDS: '0',
    DELETION_JOURNAL: '/var/backups/postern/deleted',
    SECURITY_CONTACT: 'mailto:security@example.org',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(machine.path('etc/postern/postern.env'), lines.join(''))
  machine.run('install', '-d', '-o', 'postern', '-g', 'postern', '-m', '0700', '/var/backups/postern')
  const secret = machine.path('etc/postern/secret-key')
  writeFileSync(secret, secretKey, { mode: 0o600 })
  // systemd gives the service a copy of its own.
  const copy = machine.path('run/credentials')
  mkdirSync(copy, { recursive: true })
  cpSync(secret, join(copy, 'secret-key'))
  machine.run('chown', '-R', 'postern', '/run/credentials')
  expect(statSync(secret).mode & 0o777).toBe(0o600)
  chmodSync(join(copy, 'secret-key'), 0o400)
}

/** Requests a page as the reverse proxy does. */
function ask(port: number, host: string, path: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((done, fail) => {
    const headers = { host, 'x-forwarded-for': '192.0.2.1' }
    request({ host: '127.0.0.1', port, path, headers }, async (answer) => {
      const chunks = await answer.toArray()
      done({ status: answer.statusCode, text: Buffer.concat(chunks).toString() })
    })
      .on('error', fail)
      .end()
  })
}
