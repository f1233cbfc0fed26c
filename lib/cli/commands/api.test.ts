import { expect, it } from 'vitest'
import { setUpCommandLine } from '#lib/testing/process/command-line'

const orders = {
  identifier: 'https://api.acme.example/orders',
  name: 'Orders',
  scopes: ['orders.read', 'orders.write'],
}

async function setUp() {
  const line = setUpCommandLine({})
  await line.cli(['apply', line.save({ teams: [{ id: 'acme', name: 'Acme', apis: [orders] }] })])
  return line
}

it('lists the APIs of all teams', async () => {
  const { cli } = await setUp()
  const listed = (await cli(['api', 'list'])).answer()
  const noScopes = { sensitive_scopes: [], waiting_scopes: [] }
  const made = { team: 'acme', signing_alg: 'ES256', created_at: expect.any(String) }
  expect(listed).toEqual([{ ...orders, ...noScopes, ...made }])
})

it('removes an API once', async () => {
  const { cli } = await setUp()
  const remove = () => cli(['api', 'remove', orders.identifier])
  expect((await remove()).answer()).toEqual({ identifier: orders.identifier, removed: true })
  expect((await cli(['api', 'list'])).answer()).toEqual([])
  const { code, stderr } = await remove()
  expect([code, stderr]).toEqual([1, expect.stringContaining('See: cli api list')])
})
