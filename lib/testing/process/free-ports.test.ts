import { expect, it } from 'vitest'
import { freePorts, takeSlice } from './free-ports.ts'

it('gives nobody else the slice that a process holds', async () => {
  const [own = 0] = await freePorts(1)
  const taken = await Promise.all([1, 2, 3].map(() => takeSlice(process.pid)))
  const slices = [own, ...taken].map((port) => Math.floor(port / 250))
  expect(new Set(slices).size).toBe(4)
})

it('draws no port twice', async () => {
  const ports = (await Promise.all([1, 2, 3].map(() => freePorts(5)))).flat()
  expect(new Set(ports).size).toBe(15)
})
