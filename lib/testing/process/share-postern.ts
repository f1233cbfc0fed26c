import { afterAll, beforeAll } from 'vitest'
import { type Options, openPostern, type Postern } from './postern.ts'

/** Opens the product before the tests of a file or a `describe` block, and closes it after them. Filled in `beforeAll`. */
export function sharePostern(options: Options = {}): Postern {
  const postern = {} as Postern
  beforeAll(async () => {
    Object.assign(postern, await openPostern(options))
  })
  afterAll(() => postern.close())
  return postern
}
