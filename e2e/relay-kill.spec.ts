import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { type Chance, makeChance } from '#lib/testing/oauth/chance'
import { startMailServer } from '#lib/testing/relay/mail-server'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'
import { inFull } from './in-full.ts'
import { hideFrom } from './many-aliases.ts'
import { startPostfixBehind, startPostfixInFront } from './postfix.ts'
import { ServerProcess } from './server-process.ts'

/**
 * A slow mail server lengthens the time between its 250 and the relay's 250, in which a kill is hardest to handle.
 * Postfix tests the documented setup.
 */
const surroundings = [
  { name: 'before a slow mail server', rounds: inFull ? 10 : 2, surround: alone },
  { name: 'between two Postfixes, its front and its next hop', rounds: inFull ? 50 : 3, surround: betweenPostfixes },
]
const senders = 10
/** Enough addresses for the limit of 200 messages an hour for each of them. */
const addresses = 40
/** The longest delay of the next hop, in milliseconds. */
const slowest = 40

const undo: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

for (const { name, rounds, surround } of surroundings)
  test(`delivers every acknowledged message whole after kill -9 at any moment, ${rounds} times, ${name}`, () =>
    killAndCount(rounds, surround))

async function killAndCount(rounds: number, surround: Surround) {
  // Fifty starts take minutes.
  test.setTimeout(600_000)
  const seed = Date.now() % 2 ** 32
  test.info().annotations.push({ type: 'seed', description: String(seed) })
  const chance = makeChance(seed)
  let round = { over: true, witness: (_: Event) => {} }
  const think = async () => {
    await pause(chance.below(slowest))
    round.witness('taken')
  }
  const { server, port, hop, spool, settled } = await setUp(rounds, think, surround)
  const crowd = (await hideFrom(addresses, server)).reduce<Sender[]>((all, address, index) => {
    if (index < senders) all.push(new Sender(port, chance))
    all[index % senders]?.addresses.push(address)
    return all
  }, [])

  for (let count = 0; count < rounds; count++) {
    round = nextRound(chance, () => server.kill())
    await Promise.all(crowd.map((sender) => sender.workUntil(round)))
    await server.restart()
  }
  round = { over: false, witness: () => undefined }
  await Promise.all(crowd.map((sender) => sender.finish(round)))
  await settled()

  const taken = hop.arrived.map(({ raw }) => bodyMark(raw))
  const acknowledged = crowd.flatMap((sender) => sender.acknowledged)
  const count = (name: 'unanswered' | 'later') => crowd.reduce((sum, sender) => sum + sender[name], 0)
  const counts = { acknowledged: acknowledged.length, taken: taken.length, twice: taken.length - new Set(taken).size }
  const figures = { ...counts, unanswered: count('unanswered'), later: count('later') }
  test.info().annotations.push({ type: 'figures', description: JSON.stringify(figures) })
  expect(crowd.flatMap(({ problems }) => problems)).toEqual([])
  const known = new Set(taken)
  expect(acknowledged.filter((mark) => !known.has(mark))).toEqual([])
  // A truncated message would appear here as an unknown one.
  expect([...known.difference(new Set(acknowledged))]).toEqual([])
  // Guards against an idle test: each round ended with messages in flight. A front server answers those with a temporary
  // failure.
  expect(figures.unanswered + figures.later).toBeGreaterThanOrEqual(rounds)
  expect(figures.acknowledged).toBeGreaterThanOrEqual(3 * rounds)
  expect(await bytesIn(spool)).toBe(0)
}

/**
 * The environment of the relay: the mail server at SMTP_URL, the server that the senders connect to, and a wait until
 * the recorder has received everything.
 */
type Surround = (recorder: { url: string; port: number }) => Promise<{
  settings: { SMTP_URL: string; RELAY_FRONT?: string }
  open(relayPort: number): Promise<number>
  settled(): Promise<void>
}>

async function alone({ url }: { url: string }) {
  const open = async (relayPort: number) => relayPort
  return { settings: { SMTP_URL: url }, open, settled: async () => undefined }
}

async function betweenPostfixes(recorder: { port: number }) {
  const behind = await startPostfixBehind(recorder.port)
  undo.push(async () => behind.remove())
  const open = async (relayPort: number) => {
    const front = await startPostfixInFront(relayPort)
    undo.push(async () => front.remove())
    return front.port
  }
  const settled = async () => {
    behind.flush()
    await expect.poll(behind.queue, { timeout: 120_000 }).toContain('Mail queue is empty')
  }
  return { settings: { SMTP_URL: behind.url, RELAY_FRONT: '127.0.0.1' }, open, settled }
}

/** Returns the total size of the files. A crash can leave a file before it is unlinked; such a file is empty. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => stat(join(folder, name))))
  return sizes.filter((one) => one.isFile()).reduce((sum, { size }) => sum + size, 0)
}

/** Starts the relay alone, which the test kills, and the next hop, which keeps running. */
async function setUp(rounds: number, think: () => Promise<void>, surround: Surround) {
  const hop = await startMailServer({ think })
  undo.push(hop.close)
  const { settings, open, settled } = await surround(hop)
  const folder = await mkdtemp(join(tmpdir(), 'postern-relay-kill-'))
  undo.push(() => rm(folder, { recursive: true }))
  const spool = join(folder, 'spool')
  await mkdir(spool)
  const server = await ServerProcess.start({ ROLES: 'relay', ...settings, LOG_LEVEL: 'error', TMPDIR: spool })
  undo.push(() => server.remove())
  // Each start adds an exit listener, which ends the server together with this process.
  process.setMaxListeners(process.getMaxListeners() + rounds)
  return { server, port: await open(server.relayPort), hop, spool, settled }
}

type Event = 'sent' | 'taken' | 'answered'
type Round = { over: boolean; witness(event: Event): void }

/** Ends a round shortly after a random number of messages was sent, accepted by the next hop, or acknowledged. */
function nextRound(chance: Chance, kill: () => Promise<void>): Round {
  const event = chance.pick(['sent', 'taken', 'answered'] as const)
  let left = 1 + chance.below(3 * senders)
  const round = {
    over: false,
    witness(seen: Event) {
      if (seen !== event || --left !== 0) return
      setTimeout(() => {
        round.over = true
        void kill()
      }, chance.below(12))
    },
  }
  return round
}

/** A correct mail server: retries an unacknowledged message unchanged until it is acknowledged. */
class Sender {
  readonly addresses: string[] = []
  readonly acknowledged: string[] = []
  readonly problems: string[] = []
  unanswered = 0
  later = 0
  #current: Message | undefined
  #smtp: Awaited<ReturnType<typeof speakSmtp>> | undefined
  readonly #port: number
  readonly #chance: Chance

  constructor(port: number, chance: Chance) {
    this.#port = port
    this.#chance = chance
  }

  async workUntil(round: Round): Promise<void> {
    while (!round.over) await this.#attempt(round)
    this.#hangUp()
  }

  /** Delivers the message that the last kill interrupted. */
  async finish(round: Round): Promise<void> {
    while (this.#current) await this.#attempt(round)
    this.#hangUp()
  }

  async #attempt(round: Round): Promise<void> {
    this.#current ??= makeMessage(this.#chance, this.addresses)
    const code = await this.#send(this.#current, round)
    if (code === 250) {
      round.witness('answered')
      this.acknowledged.push(this.#current.mark)
      this.#current = undefined
    } else if (code === 0) {
      if (!round.over) throw new Error('The relay is away, and nobody killed it.')
      this.unanswered++
      this.#hangUp()
    } else if (code < 500) this.later++
    else this.problems.push(`${code} to ${this.#current.to}`)
  }

  /** Returns the code of the first rejection, or of the reply to the message; 0 when no reply came. */
  async #send({ to, raw }: Message, round: Round): Promise<number> {
    this.#smtp ??= await this.#connect()
    if (!this.#smtp) return 0
    for (const line of ['MAIL FROM:<news@acme.example>', `RCPT TO:<${to}>`, 'DATA']) {
      const { code } = await this.#smtp.say(line)
      if (code === 0 || code >= 400) return code
    }
    const answer = this.#smtp.say(Buffer.concat([raw, Buffer.from('.\r\n')]))
    round.witness('sent')
    return (await answer).code
  }

  async #connect() {
    const smtp = await speakSmtp(this.#port)
    if (smtp.greeting.code === 220 && (await smtp.say('EHLO mail.acme.example')).code === 250) return smtp
    smtp.close()
    return undefined
  }

  #hangUp() {
    this.#smtp?.close()
    this.#smtp = undefined
  }
}

type Message = { to: string; raw: Buffer; mark: string }

/**
 * Returns a unique message: mostly small, sometimes larger than the relay keeps in memory, sometimes without a
 * Message-ID.
 */
function makeMessage(chance: Chance, addresses: string[]): Message {
  const to = chance.pick(addresses)
  const id = randomBytes(12).toString('hex')
  const named = chance.one(0.9) ? `Message-ID: <${id}@acme.example>\r\n` : ''
  const head = `From: News <news@acme.example>\r\nTo: <${to}>\r\nSubject: ${id}\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\n${named}`
  const lines = chance.one(0.05) ? 4000 : chance.below(60)
  const body = `${id}\r\n${`${randomBytes(36).toString('hex')}\r\n`.repeat(lines)}`
  const raw = Buffer.from(`${head}\r\n${body}`)
  return { to, raw, mark: bodyMark(raw) }
}

const bodyMark = (raw: Buffer) =>
  createHash('sha256')
    .update(raw.subarray(raw.indexOf('\r\n\r\n')))
    .digest('hex')
