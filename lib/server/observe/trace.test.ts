import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startTracing } from './trace.ts'

it('sends spans to the collector of the standard variables', async () => {
  const received: string[] = []
  const collector = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk) => {
      body += chunk
    })
    incoming.on('end', () => {
      received.push(`${incoming.url} ${body}`)
      outgoing.end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  // The exporter reads the environment of the process.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint
  const about = { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=a%20test, host.role=web' }
  const tracing = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...about }, 'Postern')
  tracing?.tracer.startSpan('GET /healthz').end()
  await tracing?.stop()
  collector.close()
  expect(received.join()).toMatch(/^\/v1\/traces .*GET \/healthz/)
  expect(received.join()).toMatch(/"a test".*"web".*"postern"/)
})

it.each([
  ['always_off', undefined, false],
  ['always_on', undefined, true],
  ['traceidratio', '0', false],
  ['parentbased_always_off', undefined, false],
  ['parentbased_traceidratio', '1', true],
  [undefined, undefined, true],
])('records with the sampler %s and %s: %s', async (sampler, share, records) => {
  const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share }
  const tracing = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...env }, 'Postern')
  expect(tracing?.tracer.startSpan('x').isRecording()).toBe(records)
})

it('starts nothing without the variables', async () => {
  expect(await startTracing({}, 'Postern')).toBeUndefined()
  expect(
    await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' }, 'Postern'),
  ).toBeUndefined()
})
