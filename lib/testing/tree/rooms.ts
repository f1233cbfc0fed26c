import { type Import, product } from './sources.ts'

type Room = keyof typeof mayImport

/**
 * The rooms of lib/, from the ground up, and the rooms each may import (CONTRIBUTING.md). An import, type imports included,
 * only points down. "types" marks rooms of which only types may be imported.
 */
export const mayImport = {
  text: [],
  queue: [],
  crypto: ['text', 'queue'],
  http: ['crypto', 'text', 'queue'],
  oauth: ['crypto', 'text', 'http', 'queue'],
  keys: ['crypto', 'queue'],
  apps: ['oauth', 'crypto', 'text'],
  relay: ['crypto', 'text', 'queue'],
  brand: ['text'],
  mail: ['text', 'http', 'brand'],
  account: ['oauth', 'http', 'crypto', 'text', 'queue', 'mail: types'],
  flow: ['account', 'oauth', 'http', 'crypto', 'text', 'brand'],
  'sign-in': ['flow', 'account', 'oauth: types', 'http', 'crypto', 'text', 'queue', 'mail: types'],
  console: ['apps', 'flow', 'account', 'oauth', 'http', 'crypto', 'text', 'brand', 'mail: types'],
  admin: ['console', 'sign-in', 'apps', 'account', 'oauth', 'http', 'crypto', 'text', 'mail: types', 'keys: types'],
  db: [
    'admin: types',
    'oauth: types',
    'console: types',
    'keys: types',
    'apps: types',
    'relay: types',
    'account: types',
    'flow: types',
    'sign-in: types',
    'crypto',
    'text',
    'queue',
  ],
  server: 'all',
  cli: 'all',
} as const satisfies Record<string, readonly string[] | 'all'>

export const rooms = Object.keys(mayImport)
export const roomOf = (file: string): string | undefined => /^lib\/([^/]+)\//.exec(file)?.[1]

export function isAllowed(from: string, { target, isType }: Import): boolean {
  const room = roomOf(target)
  if (room === undefined || room === from) return true
  const allowed: readonly string[] | 'all' = mayImport[from as Room]
  if (allowed === 'all') return rooms.indexOf(room) < rooms.indexOf(from)
  return allowed.includes(room) || (isType && allowed.includes(`${room}: types`))
}

/** Returns the strongly connected groups of files (Tarjan), each as a sorted list. */
export function circles(): string[] {
  const graph = new Map(product.map(({ file, imports }) => [file, imports.map(({ target }) => target)]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[] = []
  const visit = (file: string): void => {
    const order = index.size
    index.set(file, order)
    low.set(file, order)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) as number, low.get(target) as number))
    }
    if (low.get(file) !== order) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group.toSorted().join(' '))
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found
}
