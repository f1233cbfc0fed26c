import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import type { Readable } from 'node:stream'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { type Answer, answers } from '#lib/relay/answers'
import type { Transaction } from '#lib/relay/message/incoming'
import { spoolSizes } from '#lib/relay/message/spool'
import { type Destination, isOurs, judgeRecipient } from '#lib/relay/recipient/judge-recipient'
import type { Relay } from '#lib/relay/relay'
import { plainAddress } from '#lib/text/network'
import { type Admission, makeAdmission, makeCommandDeadlines, mostConnections, watchProgress } from './client-limits.ts'
import { receiveMessage } from './receive-message.ts'

export type RelayServer = { port: number; close(): Promise<void> }

export type RelayListen = {
  host: string
  port: number
  tls: { cert: string; key: string } | undefined
  /** Whether an address belongs to a trusted front server, which may announce the client (XFORWARD). */
  isFront(address: string): boolean
}

/** Time limits in milliseconds for a whole command of a client and of a trusted front server. */
export type CommandTimes = { command: number; commandOfFront: number }

const limits = {
  /**
   * The limit for a whole command, counted from the last reply. RFC 5321 §4.5.3.2.7 recommends five minutes, but a
   * client that drips bytes would hold a connection that long. Only a trusted front server, which limits its own
   * clients, gets five minutes.
   */
  command: 60_000,
  commandOfFront: 5 * 60_000,
  /** Milliseconds that open transactions get at shutdown. */
  closing: 20_000,
  /** Milliseconds between reads of the certificate, which is renewed while the process runs. */
  certificate: 3_600_000,
}

/** Listens for mail (relay §1). No queue: the reply to a message is the reply of the next hop. */
export async function openRelay(relay: Relay, listen: RelayListen, times: CommandTimes = limits): Promise<RelayServer> {
  const underway = new Set<Promise<unknown>>()
  const admission = makeAdmission(listen.isFront)
  const deadlines = makeCommandDeadlines((session) => sendTo(server, session, answers.noCommand))
  let closing = false
  const server = new SMTPServer({
    ...settings(relay, listen),
    onConnect(session, done) {
      const isFront = listen.isFront(plainAddress(session.remoteAddress))
      watchAnswers(server, session, () => deadlines.begin(session, isFront ? times.commandOfFront : times.command))
      // XFORWARD is only announced to trusted front servers.
      if (!isFront) session.disabledCommands = disabledFor(listen, false)
      done(asError(closing ? answers.closing : admission.admit(session)))
    },
    onClose(session) {
      deadlines.end(session)
      admission.leave(session)
    },
    onMailFrom: ({ args }, _, done) => done(asError(closing ? answers.closing : refuseParameters(args, known))),
    onRcptTo({ address, args }, session, done) {
      const refusal = closing ? answers.closing : refuseParameters(args, [])
      if (refusal) return done(asError(refusal))
      deadlines.end(session)
      return judge(relay, session, address).then((judged) => done(asError(judged)), faulty(relay, done))
    },
    onData(stream, session, done) {
      // Refused before the message is read: smtp-server reads and discards it.
      if (closing) return done(asError(answers.closing))
      deadlines.end(session)
      watchProgress(stream, () => hangUp(server, session, stream))
      const working = acceptMessage(relay, admission, session, stream)
        .then((answer) => (answer.code === 250 ? done(null, answer.text) : done(asError(answer))), faulty(relay, done))
        .catch(relay.events.fault)
        .finally(() => underway.delete(working))
      underway.add(working)
    },
  })
  // A client that breaks the protocol or hangs up is no fault of the relay.
  server.on('error', () => undefined)
  const listener = await start(server, listen)
  const renewing = setInterval(() => renewCertificate(server, listen, relay), limits.certificate).unref()
  return {
    port: (listener.address() as { port: number }).port,
    async close() {
      closing = true
      clearInterval(renewing)
      listener.close()
      await settled(underway, limits.closing)
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const settings = (relay: Relay, listen: RelayListen): SMTPServerOptions => ({
  name: relay.domain,
  banner: 'Postern relay',
  authOptional: true,
  disabledCommands: disabledFor(listen, true),
  ...readCertificate(listen),
  useXForward: true,
  size: spoolSizes.total,
  disableReverseLookup: true,
  maxClients: mostConnections,
  // A backstop for half-closed connections; the limits above are shorter.
  socketTimeout: 2 * limits.commandOfFront,
  closeTimeout: 100,
  logger: false,
})

const readCertificate = ({ tls }: RelayListen) => tls && { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }

function renewCertificate(server: SMTPServer, listen: RelayListen, relay: Relay): void {
  try {
    const read = readCertificate(listen)
    if (read) server.updateSecureContext(read)
  } catch (fault) {
    // The file may be mid-write; keep using the current certificate.
    relay.events.fault(fault)
  }
}

/** Always releases the slot, on success and on error. */
async function acceptMessage(
  relay: Relay,
  admission: Admission,
  session: SMTPServerSession,
  stream: Readable,
): Promise<Answer> {
  const { transaction, destination } = readyFor(session)
  let leave: (() => void) | undefined
  const enter = () => {
    leave = admission.begin(transaction.client.ip, destination.kind)
    return leave !== undefined
  }
  return receiveMessage(relay, transaction, destination, { stream, enter }).finally(() => leave?.())
}

function hangUp(server: SMTPServer, session: SMTPServerSession, stream: Readable): void {
  sendTo(server, session, answers.tooSlow)
  // The client may keep its side open, so destroy the socket to release its resources.
  stream.destroy()
}

const connectionOf = ({ connections }: SMTPServer, { id }: SMTPServerSession) =>
  connections.values().find((one) => one.id === id)

/** The reply to DATA. `watchProgress` limits the time of the message that follows (RFC 5321 §4.2.3). */
const startMessage = 354

const sendTo = (server: SMTPServer, session: SMTPServerSession, { code, text }: Answer) =>
  connectionOf(server, session)?.send(code, text)

/**
 * Calls `answered` after each reply that invites a command. Replaces smtp-server's reply to a SIZE beyond the limit
 * by the relay's own text.
 */
function watchAnswers(server: SMTPServer, session: SMTPServerSession, answered: () => void): void {
  const connection = connectionOf(server, session)
  if (!connection) return
  const { code: tooLarge, text } = answers.tooLarge
  const send = connection.send.bind(connection)
  connection.send = (code, data, context) => {
    if (code === tooLarge) send(code, text, false)
    else send(code, data, context)
    if (code !== startMessage) answered()
  }
}

/** MAIL FROM parameters of the announced extensions. */
const known = ['SIZE', 'BODY', 'SMTPUTF8']

/**
 * Refuses parameters of extensions that were not announced, such as RET, NOTIFY or REQUIRETLS (RFC 5321 §4.1.1.11).
 */
const refuseParameters = (args: object | false | undefined, allowed: string[]): Answer | undefined =>
  Object.keys(args || {}).every((name) => allowed.includes(name)) ? undefined : answers.unknownParameter

/** The decision about the recipient of a session, kept between RCPT and DATA. */
type Ready = { transaction: Transaction; destination: Destination }
const decided = new WeakMap<SMTPServerSession['envelope'], Ready>()

async function judge(relay: Relay, session: SMTPServerSession, to: string): Promise<Answer | undefined> {
  const { envelope } = session
  // Only a second recipient at the relay's domain is deferred; recipients at other domains are rejected permanently
  // below.
  if (envelope.rcptTo.length > 0 && isOurs(relay, to)) return answers.oneAtATime
  const transaction = transactionOf(session, to)
  const judged = await judgeRecipient(relay, to, transaction.client.ip)
  if ('refusal' in judged) {
    relay.events.outcome('recipient', judged.refusal.text.slice(0, 5))
    return judged.refusal
  }
  decided.set(envelope, { transaction, destination: judged.destination })
  return undefined
}

function readyFor({ envelope }: SMTPServerSession): Ready {
  const ready = decided.get(envelope)
  if (!ready) throw new Error('DATA without a recipient that was decided on')
  return ready
}

function transactionOf(session: SMTPServerSession, to: string): Transaction {
  const ip = plainAddress(session.remoteAddress)
  return {
    client: { ip, helo: String(session.hostNameAppearsAs || '') },
    from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    to,
    protocol: session.transmissionType,
    saysUtf8: 'SMTPUTF8' in ((session.envelope.mailFrom || { args: false }).args || {}),
  }
}

const disabledFor = ({ tls }: RelayListen, front: boolean) => [
  'AUTH',
  'XCLIENT',
  // Obsolete commands that smtp-server answers with jokes.
  ...['WIZ', 'SHELL', 'KILL', 'HELP'],
  ...(front ? [] : ['XFORWARD']),
  ...(tls ? [] : ['STARTTLS']),
]

const asError = (answer: Answer | undefined) =>
  answer && Object.assign(new Error(answer.text), { responseCode: answer.code })

/** A fault of the relay: the sender keeps the message and retries (relay §1). */
const faulty = (relay: Relay, done: (fault: Error) => void) => (fault: unknown) => {
  if (!hasHungUp(fault)) relay.events.fault(fault)
  done(asError(answers.later) as Error)
}

const hasHungUp = (fault: unknown) =>
  ['ECONNECTION', 'ERR_STREAM_PREMATURE_CLOSE'].includes((fault as { code?: string })?.code ?? '')

function start(server: SMTPServer, { host, port }: RelayListen): Promise<Server> {
  return new Promise((resolve, reject) => {
    const listener = server.listen(port, host, () => resolve(listener)) as Server
    listener.once('error', reject)
  })
}

/** Waits for open transactions up to a limit. A message that is cut off was never acknowledged. */
async function settled(underway: Set<Promise<unknown>>, most: number): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, most).unref())
  await Promise.race([patience, Promise.allSettled(underway)])
}
