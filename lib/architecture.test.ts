import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circles, isAllowed, roomOf, rooms } from '#lib/testing/tree/rooms'
import { product, sources } from '#lib/testing/tree/sources'

const framework = /^(next|next-intl|react|react-dom)(\/|$)/
const storage = /^(@prisma\/|better-sqlite3$|pg$|lib\/db\/|prisma\/)/

describe('the rooms of lib/', () => {
  it('hold every file of lib/ except the tests of the whole tree', () => {
    const loose = product.filter(({ file }) => file.startsWith('lib/') && !rooms.includes(roomOf(file) ?? ''))
    expect(loose.map(({ file }) => file)).toEqual([])
  })

  it.each(rooms.map((room) => ({ room })))('$room imports only rooms below it', ({ room }) => {
    const broken = product
      .filter(({ file }) => roomOf(file) === room)
      .flatMap(({ file, imports }) =>
        imports.filter((one) => !isAllowed(room, one)).map(({ target }) => `${file} → ${target}`),
      )
    expect(broken).toEqual([])
  })

  it('have no import circle, types included', () => {
    expect(circles()).toEqual([])
  })

  it('have at most 15 product files in a folder', () => {
    const counts = Object.groupBy(
      sources.map(({ file }) => file).filter((file) => file.startsWith('lib/') && !file.endsWith('.test.ts')),
      dirname,
    )
    expect(Object.entries(counts).filter(([, inside = []]) => inside.length > 15)).toEqual([])
  })

  it('import neighbours by ./ and everything else from its root', () => {
    const broken = sources
      .filter(({ file }) => /^(lib|app)\//.test(file))
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ name, target }) => /^(\.\.\/|\.\/.*\/)/.test(name) && /^(lib|app)\/.*\.tsx?$/.test(target))
          .map(({ name }) => `${file}: ${name}`),
      )
    expect(broken).toEqual([])
  })
})

/** Further banned imports, each with the reason. */
const bans: { files: RegExp; banned: RegExp; why: string }[] = [
  { files: /^lib\//, banned: /^app\//, why: 'the library does not know its edges' },
  { files: /^lib\//, banned: framework, why: 'the library runs without Next and React' },
  {
    // Only totp-seal opens secrets that were sealed before sealed tokens existed.
    files: /^lib\/(http|flow|account|sign-in)\/(?!authenticator\/totp-seal\.ts$)/,
    banned: /^lib\/crypto\/seal\.ts$/,
    why: 'sealed-token is the one module for sealed envelopes',
  },
  { files: /^lib\/(?!db\/)/, banned: /^@prisma\//, why: 'lib/db is the only room that imports Prisma' },
  { files: /^app\//, banned: storage, why: 'edges reach storage through the context' },
  {
    files: /^app\/(oauth2|userinfo|avatars|\.well-known|healthz|readyz)\//,
    banned: framework,
    why: 'the front door calls endpoints without Next',
  },
]

describe('bans', () => {
  it.each(bans)('$files: $why', ({ files: bound, banned }) => {
    const broken = product
      .filter(({ file }) => bound.test(file))
      .flatMap(({ file, imports }) =>
        imports.filter(({ target }) => banned.test(target)).map(({ target }) => `${file} → ${target}`),
      )
    expect(broken).toEqual([])
  })
})

it('finds no pattern with inline flags, with which V8 can miss matches (nodejs/node#60030)', () => {
  const modifier = /\(\?(?:[ims]+-?|-)[ims]*:/
  expect(product.filter(({ text }) => modifier.test(text)).map(({ file }) => file)).toEqual([])
})

it('loads the composition at run time, because the bundle of every route would have a copy of all parts', () => {
  const pages = product.filter(({ file }) => file.startsWith('app/')).flatMap(({ imports }) => imports)
  expect(pages.filter(({ target, isType }) => target === 'lib/server/compose/context.ts' && !isType)).toEqual([])
  const entrance = product.find(({ file }) => file === 'lib/server/compose/process-context.ts')
  expect(entrance?.text.match(/^import (?!type\b).*/gm) ?? []).toEqual([])
  expect(entrance?.text).toContain("import('./context.ts')")
})

describe('the library', () => {
  it('reads the environment in the settings and the entry points only', () => {
    const readers = product
      .filter(({ file, text }) => /process\.env/.test(text) && /^(lib|app)\//.test(file))
      // The snippets are programs for apps, which read their own environment.
      .filter(({ file }) => !file.startsWith('lib/console/snippets/'))
      .map(({ file }) => file)
    expect(readers.sort()).toEqual(['lib/cli/main.ts', 'lib/server/compose/context.ts'])
  })
})

describe('the product', () => {
  const entries =
    /^(app\/.*(page|layout|route|not-found)\.tsx?|lib\/cli\/main\.ts|app\/_page\/i18n\.ts|e2e\/.*|bench\/.*|prisma\/(author\.ts|generate\.mjs)|[a-z.-]+\.(ts|mjs))$/

  it('has no dead module: each is an entry or imported', () => {
    const imported = new Set(product.flatMap(({ imports }) => imports.map(({ target }) => target)))
    const orphans = product.map(({ file }) => file).filter((file) => !imported.has(file) && !entries.test(file))
    expect(orphans).toEqual([])
  })

  it('has no dead export: each value is used outside its module', () => {
    const unused = product
      .filter(({ file }) => !entries.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)]
          .map((match) => match[1] as string)
          .filter(
            (name) => !sources.some((other) => other.file !== file && new RegExp(`\\b${name}\\b`).test(other.text)),
          )
          .map((name) => `${file}: ${name}`),
      )
    expect(unused).toEqual([])
  })
})
