import type { Tracer } from '@opentelemetry/api'

export type Tracing = { tracer: Tracer; stop(): Promise<void> }

/** Traces over OTLP when the standard variables ask for them; otherwise not one line of the SDK is loaded. */
export async function startTracing(
  env: Record<string, string | undefined>,
  service: string,
): Promise<Tracing | undefined> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  const { TracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME || service.toLowerCase() }),
    // The exporter reads endpoint, headers and time-outs from the same standard variables.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  return { tracer: provider.getTracer('postern'), stop: () => provider.shutdown() }
}
