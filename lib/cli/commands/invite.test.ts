import { expect, it } from 'vitest'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

it('prints the code of an invitation once, with its note and expiry', async () => {
  const { cli } = setUp()
  const { code, answer } = await cli(['invite', 'create', '--note', 'for Grace', '--days', '3'])
  expect(code).toBe(0)
  expect(answer()).toMatchObject({ note: 'for Grace', url: 'http://localhost:3001/signup' })
  expect(answer().code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  expect(Date.parse(answer().expires_at)).toBeGreaterThan(Date.now() + 2.9 * 86_400_000)
})

it.each([['0'], ['366'], ['1.5'], ['x'], ['']])('refuses %j days', async (days) => {
  const { cli } = setUp()
  const { code, stdout } = await cli(['invite', 'create', `--days=${days}`])
  expect([code, stdout]).toEqual([1, ''])
})

it('refuses a note that is not one line', async () => {
  const { cli } = setUp()
  expect((await cli(['invite', 'create', '--note', 'two\nlines'])).code).toBe(1)
})
