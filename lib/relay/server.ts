import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { networkOf, plainAddress } from '#lib/network'
import { type Answer, answers } from './answers.ts'
import { type Destination, judgeRecipient } from './judge-recipient.ts'
import { spoolSizes } from './message/spool.ts'
import { receive, type Transaction } from './receive.ts'
import type { Relay } from './relay.ts'

export type RelayServer = { port: number; close(): Promise<void> }

export type RelayListen = {
  host: string
  port: number
  tls: { cert: string; key: string } | undefined
  /** Mail servers in front of us, whose word about who is speaking is believed (XFORWARD). */
  isFront(address: string): boolean
}

const limits = {
  /** Silence after which a connection is closed; the next hop has 8 minutes to answer. */
  silence: 5 * 60_000,
  connections: 4000,
  perNetwork: 100,
  /** What is in flight when the process is asked to stop has this long. */
  closing: 20_000,
}

/** Listens for mail (relay §1): nothing is kept, so that its answer to a message is the next hop's. */
export async function openRelay(relay: Relay, listen: RelayListen): Promise<RelayServer> {
  const underway = new Set<Promise<unknown>>()
  const doors = makeDoors(listen)
  let closing = false
  const server = new SMTPServer({
    name: relay.domain,
    banner: 'Postern relay',
    authOptional: true,
    disabledCommands: disabledFor(listen, true),
    ...(listen.tls && { cert: readFileSync(listen.tls.cert), key: readFileSync(listen.tls.key) }),
    useXForward: true,
    size: spoolSizes.total,
    disableReverseLookup: true,
    maxClients: limits.connections,
    socketTimeout: limits.silence,
    maxAllowedUnauthenticatedCommands: false,
    closeTimeout: 100,
    logger: false,
    onConnect: (session, done) => done(asError(closing ? answers.closing : doors.admit(session))),
    onClose: (session) => doors.leave(session),
    onMailFrom: (_, __, done) => done(asError(closing ? answers.closing : undefined)),
    onRcptTo: (address, session, done) => {
      judge(relay, session, address.address).then((refusal) => done(asError(refusal)), faulty(relay, done))
    },
    onData: (stream, session, done) => {
      const { transaction, destination } = readyFor(session)
      const working = receive(relay, transaction, destination, stream)
        .then((answer) => (answer.code === 250 ? done(null, answer.text) : done(asError(answer))), faulty(relay, done))
        .finally(() => underway.delete(working))
      underway.add(working)
    },
  })
  // A client that talks nonsense or hangs up is no fault of ours.
  server.on('error', () => undefined)
  const listener = await start(server, listen)
  return {
    port: (listener.address() as { port: number }).port,
    async close() {
      closing = true
      listener.close()
      await settled(underway, limits.closing)
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** What a session has decided about its recipient, between RCPT and DATA. */
type Ready = { transaction: Transaction; destination: Destination }
const decided = new WeakMap<SMTPServerSession['envelope'], Ready>()

async function judge(relay: Relay, session: SMTPServerSession, to: string): Promise<Answer | undefined> {
  const { envelope } = session
  if (envelope.rcptTo.length > 0) return answers.oneAtATime
  const transaction = transactionOf(session, to)
  const judged = await judgeRecipient(relay, to, transaction.client.network)
  if ('refusal' in judged) {
    relay.tell.outcome('recipient', judged.refusal.text.slice(0, 5))
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
    client: { ip, helo: String(session.hostNameAppearsAs || ''), network: networkOf(ip) },
    from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    to,
    protocol: session.transmissionType,
  }
}

/** How many connections each network has open; guessing and hoarding end here. */
function makeDoors(listen: RelayListen) {
  const networks = new Map<string, string>()
  const open = new Map<string, number>()
  return {
    admit(session: SMTPServerSession): Answer | undefined {
      const address = plainAddress(session.remoteAddress)
      const front = listen.isFront(address)
      // What a stranger says about who is speaking is not even offered.
      if (!front) session.disabledCommands = disabledFor(listen, false)
      const network = networkOf(address)
      const count = open.get(network) ?? 0
      if (!front && count >= limits.perNetwork) return answers.tooManyConnections
      networks.set(session.id, network)
      open.set(network, count + 1)
      return undefined
    },
    leave({ id }: SMTPServerSession) {
      const network = networks.get(id)
      if (network === undefined) return
      networks.delete(id)
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    },
  }
}

const disabledFor = ({ tls }: RelayListen, front: boolean) => [
  'AUTH',
  'VRFY',
  'XCLIENT',
  ...(front ? [] : ['XFORWARD']),
  ...(tls ? [] : ['STARTTLS']),
]

const asError = (answer: Answer | undefined) =>
  answer && Object.assign(new Error(answer.text), { responseCode: answer.code })

/** Our own fault: the sender keeps the message and tries again (relay §1). */
const faulty = (relay: Relay, done: (fault: Error) => void) => (fault: unknown) => {
  relay.tell.fault(fault)
  done(asError(answers.later) as Error)
}

function start(server: SMTPServer, { host, port }: RelayListen): Promise<Server> {
  return new Promise((resolve, reject) => {
    const listener = server.listen(port, host, () => resolve(listener)) as Server
    listener.once('error', reject)
  })
}

/** Waits for what is in flight, but not for ever: what is cut off was not acknowledged. */
async function settled(underway: Set<Promise<unknown>>, most: number): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, most).unref())
  await Promise.race([patience, Promise.allSettled(underway)])
}
