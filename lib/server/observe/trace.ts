import type { Tracer } from '@opentelemetry/api'
import type { Sampler } from '@opentelemetry/sdk-trace'

type Environment = Record<string, string | undefined>
export type Tracing = { tracer: Tracer; stop(): Promise<void> }

/** Starts tracing over OTLP if the standard variables configure it; otherwise the SDK is not loaded. */
export async function startTracing(env: Environment, service: string): Promise<Tracing | undefined> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  const sdk = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const given = attributesIn(env.OTEL_RESOURCE_ATTRIBUTES)
  const name = env.OTEL_SERVICE_NAME || given['service.name'] || service.toLowerCase()
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ ...given, 'service.name': name }),
    sampler: samplerFor(sdk, env),
    // The exporter reads endpoint, headers and timeouts from the same standard variables, and sends http/json.
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  return { tracer: provider.getTracer('postern'), stop: () => provider.shutdown() }
}

/** Parses `key=value,key=value`, percent-encoded. */
function attributesIn(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => unescapeIfSound(part.trim())))
  return Object.fromEntries(pairs.filter(([key, value]) => key && value))
}

function unescapeIfSound(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the sampler of OTEL_TRACES_SAMPLER; for an unknown name, the default one. */
function samplerFor(sdk: typeof import('@opentelemetry/sdk-trace'), env: Environment): Sampler {
  const name = env.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on'
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG ?? 1)
  const roots: Record<string, () => Sampler> = {
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(Number.isFinite(share) ? share : 1),
  }
  const root = roots[name.replace('parentbased_', '')]?.() ?? new sdk.AlwaysOnSampler()
  return /^(always_on|always_off|traceidratio)$/.test(name) ? root : new sdk.ParentBasedSampler({ root })
}
