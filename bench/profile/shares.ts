import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CpuProfile, ProfiledNode } from './inspector.ts'

const root = resolve(import.meta.dirname, '../..')

/** A place in the code and its share of the time in which the thread was busy, between 0 and 1. */
export type Share = { place: string; share: number }

/** Returns the part of the time in which the thread did not wait, between 0 and 1. */
export function busyShare(profile: CpuProfile): number {
  return busyTime(profile, timesOf(profile)) / profile.timeDeltas.reduce((sum, delta) => sum + delta, 0)
}

/** Returns where the thread itself was. A native function counts for the place that calls it. The shares add up to 1. */
export function ownShares(profile: CpuProfile): Share[] {
  const times = timesOf(profile)
  const sums = new Map<string, number>()
  const callers = callersOf(profile)
  for (const node of profile.nodes) {
    if (isIdle(node)) continue
    const place = node.callFrame.url === '' ? nativePlace(node, callers) : placeOf(node)
    add(sums, place, times.get(node.id) ?? 0)
  }
  return inOrder(sums, busyTime(profile, times))
}

function callersOf({ nodes }: CpuProfile): Map<number, ProfiledNode> {
  return new Map(nodes.flatMap((node) => (node.children ?? []).map((id) => [id, node] as const)))
}

/** Returns the share of each function of Postern together with all that it calls. */
export function inclusiveShares(profile: CpuProfile): Share[] {
  const times = timesOf(profile)
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  const sums = new Map<string, number>()
  // `open` holds the functions on the stack: a function that calls itself counts once.
  const visit = (node: ProfiledNode, open: Set<string>): number => {
    const name = functionOf(node)
    const isOutermost = name !== undefined && !open.has(name)
    if (isOutermost) open.add(name)
    let time = times.get(node.id) ?? 0
    for (const id of node.children ?? []) time += visit(byId.get(id) as ProfiledNode, open)
    if (isOutermost) {
      open.delete(name)
      add(sums, name, time)
    }
    return time
  }
  visit(profile.nodes[0] as ProfiledNode, new Set())
  return inOrder(sums, busyTime(profile, times))
}

function timesOf({ samples, timeDeltas }: CpuProfile): Map<number, number> {
  const times = new Map<number, number>()
  for (const [index, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  return times
}

function busyTime({ nodes }: CpuProfile, times: Map<number, number>): number {
  let sum = 0
  for (const node of nodes) if (!isIdle(node)) sum += times.get(node.id) ?? 0
  return sum
}

const isIdle = ({ callFrame: { functionName } }: ProfiledNode) => functionName === '(idle)'

function nativePlace(node: ProfiledNode, callers: Map<number, ProfiledNode>): string {
  const { functionName } = node.callFrame
  const outside = outsideNames.get(functionName)
  if (outside) return outside
  const caller = callers.get(node.id)
  const place = caller && caller.callFrame.url !== '' ? `, called by ${placeOf(caller)}` : ''
  return `native ${functionName || 'code'}${place}`
}

/** Names that V8 gives to time outside of functions. */
const outsideNames = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'Node outside of JavaScript'],
])

/** Returns the folder or package of a function. */
function placeOf({ callFrame: { url } }: ProfiledNode): string {
  if (url.startsWith('node:')) return 'JavaScript of Node'
  const parts = pathOf(url).split('/')
  if (parts[0] === 'node_modules') return parts.slice(1, parts[1]?.startsWith('@') ? 3 : 2).join('/')
  return parts.slice(0, -1).join('/')
}

/** Returns the file and name of a function of the repository. */
function functionOf({ callFrame: { functionName, url } }: ProfiledNode): string | undefined {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return undefined
  return `${pathOf(url)} ${functionName || '(anonymous)'}`
}

const pathOf = (url: string) => (url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url)

function add(sums: Map<string, number>, place: string, time: number) {
  sums.set(place, (sums.get(place) ?? 0) + time)
}

const inOrder = (sums: Map<string, number>, whole: number): Share[] =>
  [...sums].map(([place, time]) => ({ place, share: time / whole })).toSorted((one, other) => other.share - one.share)
