import type { SMTPServerSession } from 'smtp-server'
import { networkOf, plainAddress } from '#lib/network'
import { type Answer, answers } from './answers.ts'
import type { Destination } from './judge-recipient.ts'

export const mostConnections = 4000

/** Each message that has a place takes 256 KiB of memory, or a file: a network that opens many leaves room for others. */
const most = { connectionsOfOne: 100, messages: 1000, messagesOfOne: 50, toOperator: 50, toOperatorOfOne: 5 }

/** How many connections and messages each network has open; guessing and hoarding end here. */
export function makeDoors(isFront: (address: string) => boolean) {
  const networks = new Map<string, string>()
  const connections = makeCounts()
  const messages = makeCounts()
  const operator = makeCounts()
  return {
    admit({ id, remoteAddress }: SMTPServerSession): Answer | undefined {
      const address = plainAddress(remoteAddress)
      const network = networkOf(address)
      if (!isFront(address) && connections.of(network) >= most.connectionsOfOne) return answers.tooManyConnections
      networks.set(id, network)
      connections.add(network)
      return undefined
    },
    leave({ id }: SMTPServerSession): void {
      const network = networks.get(id)
      if (network === undefined) return
      networks.delete(id)
      connections.remove(network)
    },
    /** More than the beginning of a message has come in, or all; what it gives is called once when it is answered. Undefined when there are too many. */
    begin(network: string, kind: Destination['kind']): (() => void) | undefined {
      // Everybody knows the operator's address: strangers from many networks must not take all the room with it.
      if (kind === 'operator' && (operator.all() >= most.toOperator || operator.of(network) >= most.toOperatorOfOne))
        return undefined
      if (messages.all() >= most.messages || messages.of(network) >= most.messagesOfOne) return undefined
      const counts = kind === 'operator' ? [messages, operator] : [messages]
      for (const count of counts) count.add(network)
      return () => {
        for (const count of counts) count.remove(network)
      }
    },
  }
}

export type Doors = ReturnType<typeof makeDoors>

function makeCounts() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    all: () => all,
    of: (key: string) => counts.get(key) ?? 0,
    add(key: string) {
      all += 1
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    remove(key: string) {
      const left = (counts.get(key) ?? 1) - 1
      all -= 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    },
  }
}
