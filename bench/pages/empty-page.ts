import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePorts } from '#lib/testing/process/free-ports'
import { startProcess } from '../process.ts'
import type { PageRow } from './page-row.ts'

const root = resolve(import.meta.dirname, '../..')
const next = 'node_modules/next/dist/bin/next'

/** The smallest app whose page Next renders for each request: a layout, and a page of one heading. */
const files = {
  'package.json': '{ "private": true }',
  // The packages are those of the repository.
  'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(root)} } }`,
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/page.jsx': `export const dynamic = 'force-dynamic'
export default async () => <main><h1>Sign in</h1></main>`,
}

/** Builds and starts this app, which no page of Next can beat. Returns its row, and a function that stops it. */
export async function startEmptyPage(): Promise<{ row: PageRow; stop(): Promise<void> }> {
  const folder = join(root, '.next/empty-page')
  mkdirSync(join(folder, 'app'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const built = spawnSync(process.execPath, [join(root, next), 'build'], { cwd: folder, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`next build of the empty page failed:\n${built.stdout}${built.stderr}`)
  const [port = 0] = await freePorts(1)
  const url = new URL(`http://localhost:${port}/`)
  const args = ['--max-semi-space-size=16', next, 'start', folder, '--port', String(port)]
  const { pid, stop } = await startProcess(args, url.href, () => ({}))
  const bytes = (await (await fetch(url)).arrayBuffer()).byteLength
  const workload = () => ({ method: 'GET', path: '/', headers: {}, status: 200, mustContain: '</html>' }) as const
  return { row: { name: 'an empty page of Next alone', pid, workload, url, bytes }, stop }
}
