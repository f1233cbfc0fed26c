import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { licenceProblems, unusedExceptions } from './licences.mjs'
import { pack } from './pack.mjs'
import { runtimePackages } from './packages.mjs'
import { billOfMaterials } from './sbom.mjs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const own = JSON.parse(readFileSync('package.json', 'utf8'))
const made = new Date('2026-01-02T03:04:05Z')

describe('the packages of a release', () => {
  it('are the dependencies of the server and theirs, without what only builds', () => {
    const names = runtimePackages(lock).packages.map(({ name }) => name)
    const missing = Object.keys(own.dependencies).filter((name) => !names.includes(name))
    expect(missing).toEqual(['prisma'])
    expect(names).toContain('react-dom')
    expect(names.filter((name) => name in own.devDependencies)).toEqual([])
  })

  it('resolve a nested package before the one at the root, and leave out those of other machines', () => {
    const linux = { os: ['linux'], cpu: ['x64'] }
    const small = {
      packages: {
        '': { dependencies: { a: '1', prisma: '1' } },
        'node_modules/a': {
          version: '1.0.0',
          dependencies: { b: '2' },
          optionalDependencies: { native: '1', other: '1' },
        },
        'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { a: '1', c: '1' } },
        'node_modules/b': { version: '1.0.0' },
        'node_modules/c': {
          version: '1.0.0',
          peerDependencies: { b: '1', d: '1' },
          peerDependenciesMeta: { d: { optional: true } },
        },
        'node_modules/d': { version: '1.0.0' },
        'node_modules/native': { version: '1.0.0', ...linux },
        'node_modules/other': { version: '1.0.0', ...linux, libc: ['musl'] },
        'node_modules/prisma': { version: '1.0.0', dependencies: { d: '1' } },
      },
    }
    const { packages } = runtimePackages(small, { platform: 'linux', arch: 'x64' })
    const folders = ['a', 'a/node_modules/b', 'b', 'c', 'native'].map((path) => `node_modules/${path}`)
    expect(packages.map(({ path }) => path)).toEqual(folders)
  })
})

describe('the bill of materials', () => {
  const bill = billOfMaterials({ own, lock, made })

  it('names every package of the release once, with its licence and the digest of the lock', () => {
    const expected = runtimePackages(lock).packages.map(({ name, entry }) => `${name}@${entry.version}`)
    const named = bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`)
    expect(named.toSorted()).toEqual([...new Set(expected)].toSorted())
    for (const { purl, licenses, hashes } of bill.components) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/)
      expect(licenses).toHaveLength(1)
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }])
    }
  })

  it('gives the dependencies of each component, and each of them is a component', () => {
    const refs = new Set(bill.components.map((one) => one['bom-ref']))
    const of = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
    expect([...of.keys()].toSorted()).toEqual([...refs, `${own.name}@${own.version}`].toSorted())
    expect([...of.values()].flat().filter((ref) => !refs.has(ref))).toEqual([])
    expect(of.get(`${own.name}@${own.version}`)).toContain(`pkg:npm/next@${own.dependencies.next}`)
  })

  it('is the same for the same lock, and has another serial number for another', () => {
    expect(billOfMaterials({ own, lock, made })).toEqual(bill)
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const later = billOfMaterials({ own: { ...own, version: '9.9.9' }, lock, made })
    expect(later.serialNumber).not.toBe(bill.serialNumber)
  })
})

describe('npm run sbom', () => {
  it('ends quietly when its reader stops, as head does', async () => {
    const child = spawn(process.execPath, ['bin/sbom.mjs'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += data
    })
    const [code] = await once(child, 'close')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
  })
})

describe('the licences', () => {
  const of = (license: string | undefined, extra = {}) =>
    licenceProblems({
      packages: { '': { dependencies: { a: '1' } }, 'node_modules/a': { version: '1.0.0', license, ...extra } },
    })

  it('of all packages fit, and each exception is needed', () => {
    expect(licenceProblems(lock)).toEqual([])
    expect(unusedExceptions(lock)).toEqual([])
  })

  it('may be a choice with one that is allowed, or a list of those', () => {
    for (const license of ['MIT', 'MIT OR GPL-3.0-only', 'Apache-2.0 AND MIT']) expect(of(license)).toEqual([])
  })

  it('are refused if they are denied, unknown, or in parentheses', () => {
    for (const license of ['AGPL-3.0-only', 'GPL-2.0-or-later', 'SEE LICENSE IN LICENSE', 'MIT AND SSPL-1.0'])
      expect(of(license)).toEqual([`a 1.0.0: ${license} is denied`])
    expect(of(undefined)).toEqual(['a 1.0.0: no licence is denied'])
    expect(of('(MIT OR ISC)')).toEqual(['a 1.0.0: (MIT OR ISC) is not allowed in a release'])
  })

  it('of tools may ask for more than those of a release', () => {
    const tool = { version: '1.0.0', license: 'MPL-2.0' }
    expect(licenceProblems({ packages: { '': { devDependencies: { a: '1' } }, 'node_modules/a': tool } })).toEqual([])
    expect(of('MPL-2.0')).toEqual(['a 1.0.0: MPL-2.0 is not allowed in a release'])
  })
})

describe('an archive', () => {
  it('has the same bytes whatever the times, the modes and the order of the files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-pack-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const archives = []
    for (const [names, seconds, mode] of [
      [['a', 'B', 'é'], 1, 0o600],
      [['é', 'a', 'B'], 2, 0o666],
    ] as const) {
      const tree = join(folder, String(seconds), 'tree')
      mkdirSync(tree, { recursive: true })
      for (const name of names) {
        writeFileSync(join(tree, name), name)
        chmodSync(join(tree, name), mode)
        utimesSync(join(tree, name), seconds, seconds)
      }
      const archive = join(folder, `${seconds}.tar.gz`)
      await pack(tree, archive, made)
      archives.push(readFileSync(archive))
    }
    expect(archives[0]?.equals(archives[1] as Buffer)).toBe(true)
  })
})
