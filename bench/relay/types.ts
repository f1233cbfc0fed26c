/** Someone who carries mail: how to start it in front of a mail server; a sentence where it cannot run here. */
export type MailContestant = { name: string; start(nextHop: number): Promise<MailServer | string> }

export type MailServer = {
  port: number
  /** The process whose family is measured. */
  pid: number
  recipients: string[]
  /** How many messages it has accepted and not yet handed on. */
  countQueued(): number
  stop(): Promise<void>
}

/** What the load generator is told. */
export type MailLoad = {
  port: number
  recipients: string[]
  bytes: number
  connections: number
  /** Messages before the measured ones, so that nobody is measured cold. */
  warmUpSeconds: number
  seconds: number
}

/** What it says: latencies from MAIL to the final answer, in milliseconds; `sent` counts the warm-up too. */
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

/** One run: what was accepted, what handing it on took, and what the server used for both. */
export type MailResult = MailSent & {
  handedOnPerSecond: number
  cpuSeconds: number
  memoryBytes: number
  peakBytes: number
}
