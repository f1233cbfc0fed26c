// npm run tasks [-- CHECKOUT]: counts what ten tasks of a person's year take, and measures pages. CHECKOUT is the folder
// of another version.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { handOver } from './hand-over.mjs'
import { prepare, root, runCommand } from './prepare.mjs'

runCommand(async () => {
  const checkout = resolve(process.argv[2] ?? root)
  await prepare({ build: checkout === root })
  if (checkout !== root) {
    const other = await import(pathToFileURL(join(checkout, 'bin/prepare.mjs')).href)
    await other.prepare({ build: true })
  }
  handOver('e2e/tasks/run.ts', [checkout], { env: { NODE_ENV: 'production' } })
})
