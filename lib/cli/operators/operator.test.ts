import { expect, it } from 'vitest'
import { setUpCommandLine } from '#lib/testing/process/command-line'

const people = ['ada', 'bob'].map((username) => ({ username, password: 'correct horse' }))

async function withPeople() {
  const line = setUpCommandLine()
  await line.cli(['apply', line.save({ people })])
  return line
}

it('gives and takes the role of an operator, and repeats without harm', async () => {
  const { cli } = await withPeople()
  const added = await cli(['operator', 'add', 'Ada'])
  expect(added.answer()).toEqual({ username: 'ada', operator: true })
  expect(added.stderr).toContain('no second factor yet')
  expect((await cli(['operator', 'add', 'ada'])).code).toBe(0)
  await cli(['operator', 'add', 'bob'])
  expect((await cli(['operator', 'list'])).answer()).toMatchObject([{ username: 'ada' }, { username: 'bob' }])
  expect((await cli(['operator', 'remove', 'ada'])).answer()).toEqual({ username: 'ada', operator: false })
  expect((await cli(['operator', 'remove', 'ada'])).code).toBe(0)
  expect((await cli(['operator', 'list'])).answer()).toMatchObject([{ username: 'bob' }])
})

it('removes the last operator only with --last; a disabled operator does not count', async () => {
  const { cli } = await withPeople()
  await cli(['operator', 'add', 'ada'])
  await cli(['operator', 'add', 'bob'])
  await cli(['user', 'disable', 'bob'])
  const refused = await cli(['operator', 'remove', 'ada'])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the only operator who can act')])
  expect((await cli(['operator', 'remove', 'ada', '--last'])).code).toBe(0)
})

it('refuses an unknown and a disabled person', async () => {
  const { cli } = await withPeople()
  expect((await cli(['operator', 'add', 'adda'])).stderr).toContain('Did you mean ada?')
  await cli(['user', 'disable', 'ada'])
  expect((await cli(['operator', 'add', 'ada'])).stderr).toContain('Enable the account first')
})
