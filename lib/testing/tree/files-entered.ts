import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Milliseconds; a slower timer is not due in each of six runs. */
const timersWithin = 500

/**
 * Returns the files of lib/, without tests, in which a flow calls at least one function, in alphabetical order. The flow
 * runs seven times: the first run fills caches and loads modules, the others are counted by V8's precise coverage. Only
 * files of every counted run are returned, and none that is entered without the flow: earlier tests of this process may
 * have left timers.
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
    while (runs.length < 6) runs.push(await countOnce(session, await prepare(), flow))
    const withoutFlow = await countOnce(session, undefined, () => sleep(timersWithin))
    const [first, ...others] = runs
    return [...(first ?? [])]
      .filter((file) => others.every((run) => run.has(file)) && !withoutFlow.has(file))
      .toSorted()
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
