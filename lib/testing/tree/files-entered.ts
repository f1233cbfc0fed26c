import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the product files of lib/ in which a flow calls at least one function, in alphabetical order. The flow runs twice:
 * the first run fills caches and loads modules, the second is counted by V8's precise coverage.
 */
export async function filesEntered<Ready>(
  prepare: () => Promise<Ready>,
  flow: (ready: Ready) => Promise<unknown>,
): Promise<string[]> {
  await flow(await prepare())
  const ready = await prepare()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  try {
    await flow(ready)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const entered = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    return entered.flatMap(({ url }) => productFile(url) ?? []).toSorted()
  } finally {
    session.disconnect()
  }
}

function productFile(url: string): string | undefined {
  if (!url.startsWith('file:') && !url.startsWith('/')) return undefined
  const path = relative(process.cwd(), url.startsWith('file:') ? fileURLToPath(url) : url)
  return /^lib\/(?!testing\/|db\/generated\/)/.test(path) && !path.endsWith('.test.ts') ? path : undefined
}
