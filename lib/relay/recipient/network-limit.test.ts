import { expect, it } from 'vitest'
import { statementsOf } from '#lib/db/engine/statements'
import { attemptStore } from '#lib/db/limits/attempts'
import { relayStore } from '#lib/db/relay/relay-store'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { mayPassFrom } from './judge-recipient.ts'

onBothDatabases('limits of a network', (open) => {
  async function setUp() {
    const now = () => new Date('2026-05-05T10:00:00Z')
    const database = await open()
    const relay = { store: relayStore(database, attemptStore(statementsOf(database), now)), now }
    return async (times: number, address: (index: number) => string) => {
      let passed = 0
      for (let index = 0; index < times; index++)
        if (await mayPassFrom(relay, 'test', address(index), { most: 2, seconds: 60 })) passed++
      return passed
    }
  }

  it('limits the /56 and the /48 of a customer, which one /64 does not exhaust', async () => {
    const passed = await setUp()
    expect(await passed(40, () => '2001:db8:5:700::1')).toBe(2)
    expect(await passed(40, (index) => `2001:db8:5:7${(16 + index).toString(16)}::1`)).toBe(18)
    expect(await passed(80, (index) => `2001:db8:5:${(16 + index).toString(16)}00::1`)).toBe(40)
    expect(await passed(4, () => '2001:db8:6:700::1')).toBe(2)
  })

  it('counts an IPv4-mapped address as its IPv4 address', async () => {
    const passed = await setUp()
    expect(await passed(8, (index) => (index % 2 ? '192.0.2.7' : '::ffff:c000:207'))).toBe(2)
  })
})
