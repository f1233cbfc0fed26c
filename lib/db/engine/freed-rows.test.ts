import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'

const rows = 40_000

/** Reads rows in another process, and returns how many bytes of each are still in memory after two small garbage collections. */
async function bytesLeft(by: string) {
  const flags = ['--trace-gc-nvp', '--max-semi-space-size=16', '--no-allocation-site-pretenuring']
  const script = ['lib/testing/databases/query-often.ts', await freshUrl('postgresql'), `${rows}`, by]
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...script], { maxBuffer: 2 ** 25 })
  const promoted = [...stdout.matchAll(/ gc=s .* promoted=(\d+)/g)].map((found) => Number(found[1]))
  expect(promoted.length).toBeGreaterThan(5)
  return promoted.reduce((sum, bytes) => sum + bytes, 0) / rows
}

it.each(['the pool', 'a connection'])('small garbage collections free the rows that %s has read', async (by) => {
  expect(await bytesLeft(by)).toBeLessThan(200)
})
