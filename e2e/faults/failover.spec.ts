import { expect, test } from '@playwright/test'
import { inFull } from '../in-full.ts'
import { Provider } from '../wire/provider.ts'
import { expectHarmless, people, shared } from './installation.ts'
import { type PatroniCluster, startPatroni } from './patroni.ts'

test.describe.configure({ timeout: 600_000 })

if (inFull) {
  let patroni: PatroniCluster
  let provider: Provider
  test.beforeAll(async () => {
    test.setTimeout(600_000)
    patroni = await startPatroni()
    provider = await Provider.start({ nodes: 3, settings: { ...shared, DATABASE_URL: patroni.url } })
    await provider.apply({ people })
  })
  test.afterAll(async () => {
    await provider?.stop()
    await patroni?.stop()
  })

  test('loses and doubles nothing: switchover by Patroni', async () => {
    await patroni.settle()
    const seconds = await expectHarmless('switchover by Patroni', provider, async ({ seen }) => {
      const old = await patroni.primary()
      await old.switchOver()
      return seen.untilGood('apps', await newPrimary(old.name))
    })
    expect(seconds, 'seconds until the new primary is used').toBeLessThan(2)
  })

  test('loses and doubles nothing: the machine of the primary is gone', async () => {
    await patroni.settle()
    const old = await patroni.primary()
    const fault = 'failover by Patroni, the machine of the primary is gone'
    const seconds = await expectHarmless(fault, provider, async ({ seen }) => {
      await old.kill()
      return seen.untilGood('apps', await newPrimary(old.name))
    })
    expect(seconds, 'seconds until the new primary is used').toBeLessThan(2)
    // The old primary returns as a standby.
    old.start()
    await patroni.settle()
  })

  /** Waits until another machine accepts writes. Returns when. */
  const newPrimary = async (old: string): Promise<number> => {
    while ((await patroni.primary()).name === old);
    return performance.now()
  }
}
