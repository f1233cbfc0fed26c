import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { withCheckoutLock } from './checkout-lock.mjs'
import { completeLock } from './complete-lock.mjs'
import { digest } from './digest.mjs'
import { isInstalled } from './install.mjs'
import { run } from './run.mjs'

it('changes the digest with content and names, not with times', () => {
  const folder = makeTree({ 'app/page.tsx': 'one', 'lib/a.ts': 'a' })
  const before = digest(folder, ['app', 'lib'])
  utimesSync(join(folder, 'app/page.tsx'), new Date(0), new Date(0))
  expect(digest(folder, ['app', 'lib'])).toBe(before)
  writeFileSync(join(folder, 'app/page.tsx'), 'two')
  const changed = digest(folder, ['app', 'lib'])
  expect(changed).not.toBe(before)
  writeFileSync(join(folder, 'app/other.tsx'), '')
  expect(digest(folder, ['app', 'lib'])).not.toBe(changed)
})

it('changes the digest when content moves from one file to the next', () => {
  const one = makeTree({ 'a/1': 'xy', 'a/2': '' })
  const two = makeTree({ 'a/1': 'x', 'a/2': 'y' })
  expect(digest(one, ['a'])).not.toBe(digest(two, ['a']))
})

it('ignores tests, generated code and missing paths in the digest', () => {
  const folder = makeTree({ 'lib/a.ts': 'a' })
  const before = digest(folder, ['lib', 'missing'])
  for (const name of ['lib/a.test.ts', 'lib/db/generated/client.ts', 'lib/testing/fixture.ts', 'lib/.next/x']) {
    makeFile(folder, name, 'new')
  }
  mkdirSync(join(folder, 'lib/empty'))
  expect(digest(folder, ['lib', 'missing'])).toBe(before)
})

it('accepts an installation only with every required package in its locked version', () => {
  const lock = (version: string) => JSON.stringify({ packages: { '': {}, 'node_modules/a': { version } } })
  const withOptional = {
    packages: { '': {}, 'node_modules/a': { version: '1' }, 'node_modules/mac': { optional: true } },
  }
  const folder = makeTree({ 'package-lock.json': JSON.stringify(withOptional), 'node_modules/a/package.json': '{}' })
  expect(isInstalled(folder)).toBe(false)
  makeFile(folder, 'node_modules/.package-lock.json', lock('1'))
  expect(isInstalled(folder)).toBe(true)
  makeFile(folder, 'node_modules/.package-lock.json', lock('2'))
  expect(isInstalled(folder)).toBe(false)
  makeFile(folder, 'node_modules/.package-lock.json', lock('1'))
  rmSync(join(folder, 'node_modules/a'), { recursive: true })
  expect(isInstalled(folder)).toBe(false)
})

it('adds the platform packages that the registry left out of the lock, once', () => {
  const packages = {
    'node_modules/tool': {
      dev: true,
      optionalDependencies: { '@tool/darwin-arm64': '^1.2.3', '@tool/linux-x64': '1.2.3' },
    },
    'node_modules/tool/node_modules/@tool/linux-x64': { version: '1.2.3' },
  }
  const { lock, added } = completeLock({ packages })
  expect(added).toEqual(['@tool/darwin-arm64'])
  expect(lock.packages['node_modules/@tool/darwin-arm64']).toEqual({
    version: '1.2.3',
    cpu: ['arm64'],
    dev: true,
    optional: true,
    os: ['darwin'],
  })
  expect(completeLock(lock).added).toEqual([])
})

it('serializes two preparers and removes the lock afterwards', async () => {
  const folder = join(makeTree({}), 'lock')
  const events: string[] = []
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      events.push(`${name} in`)
      setTimeout(() => resolve(void events.push(`${name} out`)), 50)
    })
  await Promise.all(['a', 'b', 'c'].map((name) => withCheckoutLock(folder, work(name), { pollMs: 5 })))
  expect(events.filter((_, index) => index % 2 === 0).map((event) => event.replace('in', 'out'))).toEqual(
    events.filter((_, index) => index % 2 === 1),
  )
  expect(existsSync(folder)).toBe(false)
})

it('lets exactly one waiting process take over the lock of a dead one', async () => {
  const folder = join(makeTree({}), 'lock')
  const dead = spawn('true')
  await once(dead, 'exit')
  makeFile(folder, 'owners', JSON.stringify([{ pid: dead.pid, since: '1' }]))
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await new Promise((resolve) => setTimeout(resolve, 20))
    inside--
  }
  await Promise.all(Array.from({ length: 8 }, () => withCheckoutLock(folder, work, { pollMs: 1 })))
  expect(most).toBe(1)
})

it('keeps the lock of a killed preparer until its installation has ended', async () => {
  const folder = join(makeTree({}), 'lock')
  const orphan = spawn('sleep', ['60'])
  await withCheckoutLock(folder, async (nameChild) => {
    nameChild(orphan.pid as number)
    // The state after the owner was killed: the owner is gone, its child is alive.
    const [, child] = JSON.parse(readFileSync(join(folder, 'owners'), 'utf8'))
    writeFileSync(join(folder, 'owners'), JSON.stringify([{ pid: 999_999_999, since: '1' }, child]))
    const { promise: waiting, resolve: onWait } = Promise.withResolvers<void>()
    const taken = withCheckoutLock(folder, async () => 'taken', { pollMs: 5, onWait: () => onWait() })
    await waiting
    expect(existsSync(join(folder, 'owners'))).toBe(true)
    orphan.kill('SIGKILL')
    expect(await taken).toBe('taken')
  })
})

it('releases the lock when the work fails', async () => {
  const folder = join(makeTree({}), 'lock')
  await expect(withCheckoutLock(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(folder)).toBe(false)
})

it('kills a hanging command with its descendants and keeps its output', async () => {
  const { code, output } = await run('sh', ['-c', 'echo begun; sleep 60 & wait'], { limitSeconds: 0.5 })
  expect(code).not.toBe(0)
  expect(output).toContain('begun')
  expect(output).toContain('SIGKILL')
})

it('returns exit code 127 for a command that does not exist', async () => {
  expect((await run('no-such-command', [])).code).toBe(127)
})

it('does not handle signals after the last step has ended', async () => {
  const program = `
    const { run } = await import(${JSON.stringify(join(import.meta.dirname, 'run.mjs'))})
    await run(process.execPath, ['--version'])
    process.on('SIGTERM', () => setTimeout(() => process.exit(7), 50))
    setInterval(() => {}, 1000)
    console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([7, null])
})

let trees = 0
function makeTree(files: Record<string, string>): string {
  const folder = join(inject('temporaryFolder'), `tree-${process.pid}-${trees++}`)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) makeFile(folder, name, text)
  return folder
}

function makeFile(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}
