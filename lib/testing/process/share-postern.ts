import { afterAll, beforeAll } from 'vitest'
import { type Options, openPostern, type Postern } from './postern.ts'

/** Opens a Postern in `beforeAll`, which fills the returned object, and closes it after the tests. */
export function sharePostern(options: Options = {}): Postern {
  const postern = {} as Postern
  beforeAll(async () => {
    Object.assign(postern, await openPostern(options))
  })
  afterAll(() => postern.close())
  return postern
}
