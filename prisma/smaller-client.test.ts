import { execFileSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { shiftKeys, smallerClient } from './smaller-client.mjs'

const encode = (...bytes: number[]) => Buffer.from(bytes).toString('base64url')

// One input node with two edges, of which the second has neither a child nor an enum, one output node and one root.
const graph = encode(1, 1, 1, 2, 3, 0xff, 0x81, 5, 4, 16, 130, 1, 0, 0, 0, 0, 1, 1, 7, 0, 2, 6, 1, 0)

it('adds a number to each key and each name of a graph, and changes nothing else', () => {
  // 1,027, 1,027 and 1,154; 1,031; 1,030.
  const shifted = [1, 1, 1, 2, 131, 8, 0xff, 0x81, 5, 132, 8, 16, 130, 9, 0, 0, 0, 0, 1, 1, 135, 8, 0, 2, 134, 8, 1, 0]
  expect(shiftKeys(graph, 1024)).toBe(encode(...shifted))
})

it.each([
  ['a shorter one', Buffer.from(graph, 'base64url').subarray(0, -1).toString('base64url')],
  ['a longer one', `${graph}AAAA`],
])('refuses a graph of another format: %s', (_, other) => {
  expect(() => shiftKeys(other, 1024)).toThrow('another format')
})

it('refuses a client of another form', () => {
  expect(() => smallerClient('const config = {}', 'lib', () => '')).toThrow("Prisma's client has changed")
})

it.each(kinds)('leaves values as parameters on %s, so that a query is compiled once', async (kind) => {
  // A variable, because the module has no types.
  const module = `@prisma/client/runtime/query_compiler_small_bg.${kind}.mjs`
  const { QueryCompiler } = await import(module)
  const compile = vi.spyOn(QueryCompiler.prototype, 'compile')
  const { prisma, close } = await openDatabase(await freshUrl(kind))
  const countOf = (username: string, ids: string[]) =>
    prisma.person.count({ where: { username, authorizations: { some: { appId: { in: ids } } } } })
  expect([await countOf('one', ['a']), await countOf('other', ['b', 'c'])]).toEqual([0, 0])
  expect(compile).toHaveBeenCalledTimes(1)
  await close()
})

it('takes less than 6 MiB of the heap, of which the graph and the compiler would take 14 as Prisma writes them', () => {
  const program = `
    const { openDatabase } = await import('#lib/db/engine/client')
    await import('#lib/db/generated/sqlite/client')
    gc()
    const before = process.memoryUsage().heapUsed
    const { prisma, close } = await openDatabase('file::memory:')
    await prisma.person.count().catch(() => undefined)
    gc()
    console.log(process.memoryUsage().heapUsed - before)
    await close()`
  const args = ['--expose-gc', '--no-warnings', '--input-type=module', '-e', program]
  expect(Number(execFileSync(process.execPath, args)) / 2 ** 20).toBeLessThan(6)
})
