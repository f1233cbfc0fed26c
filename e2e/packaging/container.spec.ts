import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { freePorts } from '#lib/testing/process/free-ports'
import { aptInstall, onPath } from '../../bin/apt.mjs'

test.describe.configure({ timeout: 600_000 })

const root = resolve(import.meta.dirname, '../..')
const lines = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8').split('\n')
const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
const compose = readFileSync(join(root, 'deploy/docker/compose.yaml'), 'utf8')

/** Returns the value of an instruction of the last stage. */
const instruct = (instruction: string) =>
  last.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1) ?? ''

test('runs the last stage of the Dockerfile as its user, on a read-only root', async () => {
  if (!onPath('bwrap')) await aptInstall('bubblewrap')
  const folder = mkdtempSync(join(tmpdir(), 'postern-container-'))
  const [issuer = 0, account = 0, metrics = 0] = await freePorts(3)
  // The step of the build stage that makes the tree, without its network.
  const [, step = ''] = /^RUN node (bin\/release\.mjs --tree) \/out$/m.exec(lines.join('\n')) ?? []
  execFileSync('node', [...step.split(' '), join(folder, 'out')], { cwd: root, stdio: 'pipe' })
  const [uid = '', gid = ''] = instruct('USER').split(':')
  const workdir = instruct('WORKDIR')
  mkdirSync(join(folder, 'root/usr/lib'), { recursive: true })
  const system = [
    '/usr/bin',
    '/usr/sbin',
    '/usr/lib/x86_64-linux-gnu',
    '/usr/lib/aarch64-linux-gnu',
    '/usr/lib64',
    '/etc/ssl',
  ]
  const view = [
    ...['--tmpfs', '/', ...system.flatMap((path) => ['--ro-bind-try', path, path])],
    ...['--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...[
      '--ro-bind',
      join(folder, 'out'),
      workdir,
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--tmpfs',
      '/tmp',
      '--remount-ro',
      '/',
    ],
    ...['--unshare-user', '--uid', uid, '--gid', gid, '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--chdir', workdir],
  ]
  const settings = Object.fromEntries(
    instruct('ENV')
      .split(' ')
      .map((one) => one.split('=')),
  )
  const env = {
    ...settings,
    PATH: '/usr/bin',
    // An evaluation with a database in memory of the container: compose.yaml has PostgreSQL.
    ISSUER: `http://localhost:${issuer}`,
    ACCOUNT_URL: `http://localhost:${account}`,
    LISTEN_ISSUER: `127.0.0.1:${issuer}`,
    LISTEN_ACCOUNT: `127.0.0.1:${account}`,
    METRICS_LISTEN: `127.0.0.1:${metrics}`,
    DATA_DIR: '/tmp/data',
    ROLES: 'web,jobs',
    DEMO: '0',
  }
  const inside = (command: string[]) =>
    spawn('bwrap', [...view, '--', ...command], { env: env as never, stdio: 'pipe' })
  const server = inside(JSON.parse(instruct('CMD')))
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  try {
    const check: string[] = JSON.parse(instruct('HEALTHCHECK').replace(/^CMD /, '').replace(':9464', `:${metrics}`))
    const deadline = Date.now() + 60_000
    const isHealthy = async () => (await once(inside(check), 'close'))[0] === 0
    while (!(await isHealthy())) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error(`It did not become healthy:\n${output}`)
      await sleep(100)
    }
    const answer = await fetch(`http://localhost:${account}/signin`)
    expect(await answer.text()).toContain('type="password"')
    const [code] = await once(inside(['touch', `${workdir}/x`]), 'close')
    expect(code).not.toBe(0)
  } finally {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

test('gives the container in compose.yaml the limits that the image was tested with, and time to stop', () => {
  for (const line of [
    'read_only: true',
    'cap_drop: [ALL]',
    'no-new-privileges:true',
    'tmpfs: [/tmp]',
    'stop_grace_period: 40s',
  ])
    expect(compose).toContain(line)
  expect(instruct('USER')).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
})
