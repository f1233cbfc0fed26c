import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { type Answer, answers } from '#lib/relay/answers'
import type { Destination } from '#lib/relay/recipient/judge-recipient'
import { type Network, networksOf, plainAddress } from '#lib/text/network'

export const mostConnections = 4000

/**
 * Limits of open connections and messages. Each admitted message takes 256 KiB of memory or a file, so one network
 * must leave room for others.
 */
const most = { connectionsOfOne: 100, messages: 1000, messagesOfOne: 50, toOperator: 50, toOperatorOfOne: 5 }

/** Counts open connections and messages by client network and refuses those over a limit. */
export function makeAdmission(isFront: (address: string) => boolean) {
  const clients = new Map<string, Network[]>()
  const connections = makeCounts()
  const messages = makeCounts()
  const operator = makeCounts()
  return {
    admit({ id, remoteAddress }: SMTPServerSession): Answer | undefined {
      const networks = networksOf(remoteAddress)
      if (
        !isFront(plainAddress(remoteAddress)) &&
        !connections.hasRoomFor(networks, most.connectionsOfOne, mostConnections)
      )
        return answers.tooManyConnections
      clients.set(id, networks)
      connections.add(networks)
      return undefined
    },
    leave({ id }: SMTPServerSession): void {
      const networks = clients.get(id)
      if (networks === undefined) return
      clients.delete(id)
      connections.remove(networks)
    },
    /**
     * Admits a message that needs memory or a file. Returns the function that releases its slot, or undefined when
     * there are too many messages.
     */
    begin(address: string, kind: Destination['kind']): (() => void) | undefined {
      const networks = networksOf(address)
      // The operator's address is public: strangers from many networks must not take all slots.
      if (
        kind === 'operator' &&
        (operator.all() >= most.toOperator || !operator.hasRoomFor(networks, most.toOperatorOfOne, most.toOperator))
      )
        return undefined
      if (messages.all() >= most.messages || !messages.hasRoomFor(networks, most.messagesOfOne, most.messages))
        return undefined
      const counts = kind === 'operator' ? [messages, operator] : [messages]
      for (const count of counts) count.add(networks)
      return () => {
        for (const count of counts) count.remove(networks)
      }
    },
  }
}

export type Admission = ReturnType<typeof makeAdmission>

function makeCounts() {
  const counts = new Map<string, number>()
  let all = 0
  const change = (networks: Network[], by: 1 | -1) => {
    all += by
    for (const { name } of networks) {
      const left = (counts.get(name) ?? 0) + by
      if (left === 0) counts.delete(name)
      else counts.set(name, left)
    }
  }
  return {
    all: () => all,
    /**
     * Returns whether each network is below its limit. The limit is `one` for a single customer and a multiple of it
     * for a wider network, but never more than half of the total limit `everybody`.
     */
    hasRoomFor: (networks: Network[], one: number, everybody: number) =>
      networks.every(({ name, factor }) => (counts.get(name) ?? 0) < Math.min(one * factor, everybody / 2)),
    add: (networks: Network[]) => change(networks, 1),
    remove: (networks: Network[]) => change(networks, -1),
  }
}

type ProgressLimits = { period: number; bytes: number; periods: number }

/**
 * A client must send 16 KiB in each minute and the whole message within half an hour, which takes 15 KB/s for the
 * largest message. Without these limits, a client that sends a byte now and then would hold its slot indefinitely.
 */
export const progressLimits: ProgressLimits = { period: 60_000, bytes: 16 * 1024, periods: 30 }

/**
 * Calls `giveUp` once when a client sends a message too slowly. Stops when the whole message was sent: the time in
 * which the relay processes it does not count.
 */
export function watchProgress(
  stream: Pick<SMTPServerDataStream, 'byteLength' | 'writableEnded' | 'destroyed'>,
  giveUp: () => void,
  limits = progressLimits,
): void {
  let [before, left] = [0, limits.periods]
  const timer = setInterval(() => {
    const brought = stream.byteLength - before
    before = stream.byteLength
    left -= 1
    const isOver = stream.writableEnded || stream.destroyed
    if (!isOver && left > 0 && brought >= limits.bytes) return
    clearInterval(timer)
    if (!isOver) giveUp()
  }, limits.period).unref()
}

/** Returns deadlines for the next whole command of each connection; single bytes do not extend them. */
export function makeCommandDeadlines(expire: (session: SMTPServerSession) => void) {
  const timers = new Map<string, NodeJS.Timeout>()
  const end = ({ id }: SMTPServerSession) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return {
    /** Starts the deadline for the next command and replaces a running one. */
    begin(session: SMTPServerSession, milliseconds: number): void {
      end(session)
      timers.set(
        session.id,
        setTimeout(() => {
          timers.delete(session.id)
          expire(session)
        }, milliseconds).unref(),
      )
    },
    /** Ends the deadline: the command arrived or the connection closed. */
    end,
  }
}
