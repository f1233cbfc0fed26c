import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof makeMetrics>

/** Makes the metrics: traffic by route template, the event loop, the database, background work. */
export function makeMetrics() {
  const registry = registryOfProcess()
  const registers = [registry]
  return {
    registry,
    ...trafficMetrics(registers),
    database: new Histogram({
      name: 'postern_database_duration_seconds',
      help: 'Time a database statement took, waiting included',
      labelNames: ['path'] as const,
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
      registers,
    }),
    refusals: new Counter({
      name: 'postern_refusals_total',
      help: 'Protocol requests refused, by endpoint and error code',
      labelNames: ['endpoint', 'code'] as const,
      registers,
    }),
    restoredRefreshes: new Counter({
      name: 'postern_restored_refreshes_total',
      help: 'Refresh tokens accepted that are newer than the restored backup',
      registers,
    }),
    letters: new Counter({
      name: 'postern_letters_total',
      help: 'Letters to people, by what they say and whether the next mail server took them',
      labelNames: ['letter', 'outcome'] as const,
      registers,
    }),
    relayed: new Counter({
      name: 'postern_relay_messages_total',
      help: 'Messages that came to the relay, by their way and what became of them',
      labelNames: ['path', 'outcome'] as const,
      registers,
    }),
    ...deliveryCounters(registers),
    ...jobMetrics(registers),
    clockDifference: new Gauge({
      name: 'postern_clock_difference_seconds',
      help: 'Seconds by which the clock of this process is ahead of the database',
      registers,
      // The workers of one machine share its clock.
      aggregator: 'first',
    }),
  }
}

/** Makes a registry with the metrics of this process. */
function registryOfProcess(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Of several workers, the slowest one counts: their average would hide it.
  Object.assign(registry.getSingleMetric('nodejs_eventloop_lag_p99_seconds') as object, { aggregator: 'max' })
  return registry
}

function trafficMetrics(registers: Registry[]) {
  /** Functions that run before the counts of requests are read. */
  const beforeRead: (() => void)[] = []
  const collect = () => {
    for (const prepare of beforeRead) prepare()
  }
  return {
    beforeRead,
    requests: new Counter({
      name: 'postern_http_requests_total',
      help: 'Requests answered, by route template',
      labelNames: ['host', 'route', 'method', 'status'] as const,
      registers,
      collect,
    }),
    duration: new Histogram({
      name: 'postern_http_request_duration_seconds',
      help: 'Time to answer a request, by route template',
      labelNames: ['route'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    inFlight: new Gauge({ name: 'postern_http_in_flight', help: 'Requests being answered now', registers, collect }),
  }
}

const deliveryCounters = (registers: Registry[]) => ({
  events: new Counter({
    name: 'postern_security_events_total',
    help: 'Attempts to send a security event to an app, by outcome',
    labelNames: ['outcome'] as const,
    registers,
  }),
  logouts: new Counter({
    name: 'postern_backchannel_logouts_total',
    help: 'Attempts to send a logout token to an app, by outcome',
    labelNames: ['outcome'] as const,
    registers,
  }),
})

const jobMetrics = (registers: Registry[]) => ({
  jobs: new Counter({
    name: 'postern_job_runs_total',
    help: 'Runs of background jobs, by outcome',
    labelNames: ['job', 'outcome'] as const,
    registers,
  }),
  swept: new Counter({
    name: 'postern_swept_rows_total',
    help: 'Expired rows removed, by table',
    labelNames: ['table'] as const,
    registers,
  }),
  backlog: new Gauge({
    name: 'postern_sweep_backlog_rows',
    help: 'Expired rows that no sweep has removed, by table, counted to 10,000',
    labelNames: ['table'] as const,
    registers,
    // The workers of one machine read the same database.
    aggregator: 'max',
  }),
  backlogAge: new Gauge({
    name: 'postern_sweep_backlog_seconds',
    help: 'Seconds since the oldest row that no sweep has removed expired, by table',
    labelNames: ['table'] as const,
    registers,
    aggregator: 'max',
  }),
})
