import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ownVersion } from './own-version.ts'

const commit = '0123456789abcdef0123456789abcdef01234567'

it.each([
  ['no checkout', {}, '1.2.3'],
  ['a branch', { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': `${commit}\n` }, '1.2.3 (01234567)'],
  [
    'a packed branch',
    { HEAD: 'ref: refs/heads/main\n', 'packed-refs': `# pack-refs\n${commit} refs/heads/main\n` },
    '1.2.3 (01234567)',
  ],
  ['a detached commit', { HEAD: `${commit}\n` }, '1.2.3 (01234567)'],
  ['a branch without a commit', { HEAD: 'ref: refs/heads/main\n' }, '1.2.3'],
])('returns the version of %s', async (_, git, version) => {
  const root = await mkdtemp(join(tmpdir(), 'postern-version-'))
  onTestFinished(() => rm(root, { recursive: true }))
  writeFileSync(join(root, 'package.json'), '{"version":"1.2.3"}')
  if (Object.keys(git).length > 0) mkdirSync(join(root, '.git/refs/heads'), { recursive: true })
  for (const [file, text] of Object.entries(git)) writeFileSync(join(root, '.git', file), text)
  expect(ownVersion(root)).toBe(version)
})
