import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pages } from '#app/routes.ts'

type Source = { file: string; text: string; imports: string[] }

const files = globSync(
  [
    'app/**/*.{ts,tsx}',
    'app/.well-known/**/*.ts',
    'lib/**/*.ts',
    'prisma/*.{ts,mjs}',
    'e2e/**/*.ts',
    'bench/**/*.ts',
    '*.{ts,mjs}',
  ],
  {
    exclude: (path) => String(path).includes('generated'),
  },
).filter((file) => !file.endsWith('.d.ts'))
const sources: Source[] = files.map((file) => {
  const text = readFileSync(file, 'utf8')
  // A thread's module is named by its address: new Worker(new URL('./x.ts', import.meta.url)).
  const named = [...text.matchAll(/(?:from|import|new URL)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    (match) => match[1] as string,
  )
  return { file, text, imports: named.map((name) => resolveImport(file, name)) }
})
const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('lib/testing/')
const product = sources.filter(({ file }) => !isTest(file))

/** A path in the repository for what is ours, the package's name for what is not. */
function resolveImport(from: string, name: string): string {
  if (name.startsWith('#lib/')) return withEnding(`lib/${name.slice(5)}`)
  if (name.startsWith('#app/')) return withEnding(`app/${name.slice(5)}`)
  return name.startsWith('.') ? withEnding(normalize(join(dirname(from), name))) : name
}
function withEnding(path: string): string {
  return [path, `${path}.ts`, `${path}.tsx`].find((file) => /\.[a-z]+$/.test(file) && existsSync(file)) ?? path
}

const framework = /^(next|next-intl|react|react-dom)(\/|$)/
const storage = /^(@prisma\/|better-sqlite3$|pg$|lib\/db\/|prisma\/)/
const domains = ['oauth', 'account', 'apps', 'relay', 'keys']

/** Who may not import what, and why (design §2). */
const rules: { who: RegExp; not: (imported: string, file: string) => boolean; why: string }[] = [
  {
    who: new RegExp(`^lib/(${domains.join('|')})/`),
    not: (name) =>
      framework.test(name) ||
      storage.test(name) ||
      /^lib\/(web|cli|jobs|front-door)\//.test(name) ||
      name === 'lib/context.ts',
    why: 'a domain is plain functions: what it needs arrives as an argument',
  },
  {
    who: new RegExp(`^lib/(${domains.join('|')})/`),
    not: (name, file) =>
      domains.some((domain) => name.startsWith(`lib/${domain}/`) && !file.startsWith(`lib/${domain}/`)),
    why: 'domains do not know each other: the edge composes them',
  },
  {
    who: /^lib\/oauth\//,
    not: (name) => name === 'lib/config.ts',
    why: 'the protocol core reads no settings of its own',
  },
  { who: /^lib\//, not: (name) => name.startsWith('app/'), why: 'the library never knows its edges' },
  {
    who: /^lib\/(?!web\/)/,
    not: (name) => framework.test(name),
    why: 'lib/web is the only library folder that knows Next',
  },
  {
    who: /^lib\/(?!db\/|testing\/)/,
    not: (name) => name.startsWith('@prisma/'),
    why: 'lib/db is the only folder that imports Prisma',
  },
  { who: /^app\//, not: (name) => storage.test(name), why: 'edges reach storage through the context' },
  {
    who: /^app\/(oauth2|userinfo|avatars|\.well-known|healthz|readyz)\//,
    not: (name) => framework.test(name) || name.startsWith('lib/web/'),
    why: 'the front door calls protocol routes without Next',
  },
]

describe('who may import whom', () => {
  test.each(rules)('$who: $why', ({ who, not }) => {
    const bound = product.filter(({ file }) => who.test(file))
    const broken = bound.flatMap(({ file, imports }) =>
      imports.filter((name) => not(name, file)).map((name) => `${file} → ${name}`),
    )
    expect(broken).toEqual([])
  })

  test('from a domain, storage is known by its types alone', () => {
    const valueImports = product
      .filter(({ file }) => file.startsWith('lib/db/'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^import (?!type )[^'"]*['"](#lib\/(?:oauth|account|apps|relay|keys)\/[^'"]+)/gm)].map(
          (m) => `${file} → ${m[1]}`,
        ),
      )
    // `import { type A, type B }` is a type import too.
    expect(valueImports.filter((line) => !typesOnly(line))).toEqual([])
  })

  const typesOnly = (line: string) => {
    const [file = '', name = ''] = line.split(' → ')
    const clause = new RegExp(`import \\{([^}]*)\\} from ['"]${name}`).exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    return clause.split(',').every((part) => part.trim() === '' || part.trim().startsWith('type '))
  }
})

describe('nothing ambient', () => {
  test('the environment is read by the settings and the entry points alone', () => {
    const readers = product
      .filter(({ file, text }) => /process\.env/.test(text) && /^(lib|app)\//.test(file))
      .map(({ file }) => file)
    expect(readers.sort()).toEqual(['lib/cli/main.ts', 'lib/context.ts'])
  })

  test('every protocol route is in the front door’s table and known to proxy.ts', () => {
    const routes = globSync('app/{oauth2,userinfo,avatars,.well-known}/**/route.ts').map((file) =>
      file.replace('app/', './'),
    )
    const table = readFileSync('app/routes.ts', 'utf8')
    expect(routes.filter((file) => !table.includes(`'${file}'`))).toEqual([])
    const pattern =
      /const isEndpoint = \(path: string\) => \/(.+)\/\.test/.exec(readFileSync('proxy.ts', 'utf8'))?.[1] ?? ''
    const paths = routes.map((file) => file.slice('.'.length, -'/route.ts'.length))
    expect(paths.filter((path) => !new RegExp(pattern.replaceAll('\\/', '/')).test(path))).toEqual([])
  })
})

test('the front door’s table has every route and every page there is', () => {
  const table = readFileSync('app/routes.ts', 'utf8')
  const routes = globSync('app/**/route.ts').map((file) => file.replace('app/', './'))
  const ownListener = ['./healthz/route.ts', './readyz/route.ts']
  expect(routes.filter((file) => !table.includes(`'${file}'`) && !ownListener.includes(file))).toEqual([])
  const templates = globSync('app/**/page.tsx').map(
    (file) =>
      file
        .slice('app'.length, -'/page.tsx'.length)
        .replace(/\/\(\w+\)/g, '')
        .replace(/\[\w+\]/g, '{}') || '/',
  )
  expect(pages.toSorted()).toEqual(templates.toSorted())
})

describe('no dead code', () => {
  const entries =
    /^(app\/.*(page|layout|route|not-found)\.tsx?|lib\/cli\/main\.ts|lib\/web\/i18n\.ts|e2e\/.*|bench\/.*|prisma\/(author\.ts|generate\.mjs)|[a-z.]+\.(ts|mjs))$/

  test('every module is imported by another one of the product, or is an entry', () => {
    const imported = new Set(product.flatMap(({ imports }) => imports))
    const orphans = product.map(({ file }) => file).filter((file) => !imported.has(file) && !entries.test(file))
    expect(orphans).toEqual([])
  })

  test('every exported value is used outside its own module', () => {
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
