import { expect, it } from 'vitest'
import { keepDate } from './keep-date.ts'

it('keeps the Date of V8 while Next loads its own', async () => {
  const native = Date
  let replaced: unknown
  await keepDate(async () => {
    const extension: string = 'next/dist/server/node-environment-extensions/date.js'
    await import(extension)
    replaced = Date
  })
  expect(replaced).not.toBe(native)
  expect(Date).toBe(native)
  expect(new Date().constructor).toBe(native)
})
