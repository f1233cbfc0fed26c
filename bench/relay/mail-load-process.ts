// The mail generator's process: one message in (a MailLoad), one message out (the counts, or the error that ended the
// run).
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSmtp, type Smtp } from './smtp.ts'
import type { MailLoad, MailSent } from './types.ts'

process.once('disconnect', () => process.exit())
process.once('message', (load: MailLoad) => {
  generate(load).then(
    (sent) => process.send?.({ sent }),
    (fault: Error) => process.send?.({ fault: fault.message }),
  )
})

const leastEach = 3

async function generate({ port, recipients, bytes, connections, warmUpSeconds, seconds }: MailLoad): Promise<MailSent> {
  const run: Run = {
    latencies: [],
    sent: 0,
    measures: false,
    over: false,
    lastAt: 0,
    recipients,
    body: makeBody(bytes),
  }
  // Each connection uses its own source address, like a separate mail server: per-client limits are not measured.
  const all = await Promise.all(Array.from({ length: connections }, (_, at) => openSmtp(port, `127.0.1.${at + 1}`)))
  const openedAt = performance.now()
  const ended = Promise.all(all.map((smtp) => drive(smtp, run)))
  await Promise.race([ended, sleep(warmUpSeconds * 1000)])
  const ownBefore = process.cpuUsage()
  const began = performance.now()
  run.measures = true
  await Promise.race([ended, sleep(seconds * 1000)])
  // A run of large messages continues until each connection has sent enough of them.
  while (run.latencies.length < leastEach * connections) await Promise.race([ended, sleep(50)])
  const own = process.cpuUsage(ownBefore)
  const elapsed = performance.now() - began
  run.measures = false
  const messages = run.latencies.length
  run.over = true
  await ended
  const whole = run.lastAt - openedAt
  for (const smtp of all) smtp.close()
  const sorted = Float64Array.from(run.latencies).sort()
  const percentile = (share: number) => sorted[Math.min(messages - 1, Math.floor(messages * share))] as number
  return {
    messages,
    sent: run.sent,
    seconds: elapsed / 1000,
    wholeSeconds: whole / 1000,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    generatorShare: (own.user + own.system) / 1000 / elapsed,
  }
}

type Run = {
  latencies: number[]
  sent: number
  measures: boolean
  over: boolean
  lastAt: number
  recipients: string[]
  body: Buffer
}

/** Sends one message after another. Each has its own id and subject, because a relay suppresses duplicates. */
async function drive(smtp: Smtp, run: Run): Promise<void> {
  while (!run.over) {
    const to = run.recipients[run.sent++ % run.recipients.length] as string
    const id = randomBytes(12).toString('hex')
    const head = Buffer.from(
      `From: Acme <news@acme.example>\r\nTo: <${to}>\r\nSubject: Order ${id}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${id}@acme.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n`,
    )
    const began = performance.now()
    await smtp.send({ from: 'news@acme.example', to, head, body: run.body })
    run.lastAt = performance.now()
    if (run.measures) run.latencies.push(run.lastAt - began)
  }
}

/** Returns lines of 76 characters, none of which starts with a dot, and the final dot line. */
function makeBody(bytes: number): Buffer {
  const line = Buffer.from(`${'The quick brown fox jumps over the lazy dog. '.repeat(2).slice(0, 76)}\r\n`)
  const lines = Math.max(1, Math.round(bytes / line.length))
  return Buffer.concat([Buffer.alloc(lines * line.length, line), Buffer.from('.\r\n')])
}
