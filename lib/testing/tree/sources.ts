import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export type Import = { target: string; name: string; isType: boolean }
export type Source = { file: string; text: string; imports: Import[] }

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
  { exclude: (path) => String(path).includes('generated') },
).filter((file) => !file.endsWith('.d.ts'))

export const sources: Source[] = files.map((file) => {
  const text = readFileSync(file, 'utf8')
  return { file, text, imports: importsOf(file, text) }
})
export const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('lib/testing/')
export const product = sources.filter(({ file }) => !isTest(file))

/** Returns every import: static, type-only, re-export, dynamic, and a worker's module in new URL(). */
function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(
    /(?:(?:import|export)\s+(?<clause>type\s|[^'"()]*?)\s*from\s*|import\s*\(?\s*|new URL\(\s*)['"](?<name>[^'"\n]+)['"]/g,
  )
  return [...found].map(({ groups }) => {
    const clause = groups?.clause ?? ''
    const name = groups?.name ?? ''
    const members = /\{([^}]*)\}/
      .exec(clause)?.[1]
      ?.split(',')
      .filter((one) => one.trim() !== '')
    const isType = /^type\b/.test(clause) || members?.every((one) => /^\s*type\s/.test(one)) === true
    return { name, target: resolveImport(file, name), isType }
  })
}

/** Returns a path in the repository for a module of this project, and the package's name for others. */
function resolveImport(from: string, name: string): string {
  const [, root, path] = /^#(lib|app|prisma)\/(.*)$/.exec(name) ?? []
  if (root) return withEnding(`${root}/${path}`)
  return name.startsWith('.') ? withEnding(normalize(join(dirname(from), name))) : name
}
function withEnding(path: string): string {
  return [path, `${path}.ts`, `${path}.tsx`].find((file) => /\.[a-z]+$/.test(file) && existsSync(file)) ?? path
}
