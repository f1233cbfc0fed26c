import { AggregatorRegistry } from 'prom-client'
import { expect, it } from 'vitest'
import { makeMetrics } from './metrics.ts'

it('shows the lag of the slowest worker', async () => {
  const lag = 'nodejs_eventloop_lag_p99_seconds'
  const calm = await makeMetrics().registry.getMetricsAsJSON()
  const stalled = calm.map((metric) =>
    metric.name === lag ? { ...metric, values: metric.values.map((value) => ({ ...value, value: 3 })) } : metric,
  )
  const together = AggregatorRegistry.aggregate([calm, stalled] as never)
  expect((await together.getSingleMetric(lag)?.get())?.values[0]?.value).toBe(3)
})
