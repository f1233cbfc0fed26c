import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { collectParameters, formLimit } from '#lib/http/form'
import { rememberVerified } from '#lib/keys/verified-tokens'
import { remember } from './client-cache.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Returns the bytes of live objects. Collects garbage first, because otherwise the result would depend on chance. */
function heldInMemory(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

const forms = 400
/** What the caches need is far less than a tenth of the text of the forms. */
const bound = (forms * formLimit) / 10

/** Returns the value of a field that was read from a form of the greatest size. V8 makes it a slice of the form's text. */
function readFromForm(at: number): string {
  const value = `value-${at}-`.padEnd(100, 'x')
  const form = Buffer.from(`field=${value}&rest=`.padEnd(formLimit, 'y')).toString()
  const read = collectParameters(form, new Set(['field']))?.values.get('field')
  expect(read).toBe(value)
  return read as string
}

/** Returns by how many bytes the memory in use grows while `use` uses values of many large forms. */
async function growth(use: (value: string) => unknown): Promise<number> {
  const before = heldInMemory()
  for (let at = 0; at < forms; at++) await use(readFromForm(at))
  return heldInMemory() - before
}

it('a remembered token keeps no form in memory', async () => {
  const tokens = rememberVerified()
  expect(await growth((token) => tokens.keep('JWT', token, { kid: 'k', claims: {} }))).toBeLessThan(bound)
  expect(tokens.find('JWT', readFromForm(forms - 1))).toBeDefined()
})

it('a remembered client id keeps no form in memory', async () => {
  let loads = 0
  const find = remember(async () => ({ load: ++loads }), { seconds: 3600, most: forms, characters: 1_000_000_000 })
  expect(await growth(find)).toBeLessThan(bound)
  expect(await find(readFromForm(forms - 1))).toEqual({ load: forms })
})
