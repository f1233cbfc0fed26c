/** A measured mail server. `start` returns the reason as text when the server cannot run on this machine. */
export type MailContestant = { name: string; start(nextHop: number): Promise<MailServer | string> }

export type MailServer = {
  port: number
  /** The process that is measured together with its children. */
  pid: number
  recipients: string[]
  /** Returns how many messages are accepted but not yet forwarded. */
  countQueued(): number
  stop(): Promise<void>
}

/** The order to the load generator. */
export type MailLoad = {
  port: number
  recipients: string[]
  bytes: number
  connections: number
  /** Messages before the measurement starts, so that caches and the JIT are warm. */
  warmUpSeconds: number
  seconds: number
}

/**
 * The generator's report. Latencies are from MAIL to the final reply, in milliseconds; `sent` includes the warm-up.
 */
export type MailSent = {
  messages: number
  sent: number
  seconds: number
  wholeSeconds: number
  p50: number
  p95: number
  p99: number
  generatorShare: number
}

/** The result of one run: accepted messages, forwarding rate, and the server's resource use for both. */
export type MailResult = MailSent & {
  handedOnPerSecond: number
  cpuSeconds: number
  memoryBytes: number
  peakBytes: number
}
