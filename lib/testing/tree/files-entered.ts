import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the product files of lib/ in which a flow calls at least one function, in alphabetical order. The first run of the
 * flow fills caches and loads modules. Three more runs are counted by V8's precise coverage; a file counts when every one
 * of them enters it, so that a timer which happens to fire does not.
 */
export async function filesEntered<Ready>(
  prepare: () => Promise<Ready>,
  flow: (ready: Ready) => Promise<unknown>,
): Promise<string[]> {
  await flow(await prepare())
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  try {
    const runs: Set<string>[] = []
    while (runs.length < 3) runs.push(await countOnce(session, await prepare(), flow))
    const [first, ...others] = runs
    return [...(first ?? [])].filter((file) => others.every((run) => run.has(file))).toSorted()
  } finally {
    session.disconnect()
  }
}

async function countOnce<Ready>(session: Session, ready: Ready, flow: (ready: Ready) => Promise<unknown>) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await flow(ready)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  const entered = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
  return new Set(entered.flatMap(({ url }) => productFile(url) ?? []))
}

function productFile(url: string): string | undefined {
  if (!url.startsWith('file:') && !url.startsWith('/')) return undefined
  const path = relative(process.cwd(), url.startsWith('file:') ? fileURLToPath(url) : url)
  return /^lib\/(?!testing\/|db\/generated\/)/.test(path) && !path.endsWith('.test.ts') ? path : undefined
}
