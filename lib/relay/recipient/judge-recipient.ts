import { domainToASCII } from 'node:url'
import { type Answer, answers } from '#lib/relay/answers'
import type { Relay } from '#lib/relay/relay'
import type { Route } from '#lib/relay/store'
import { networksOf } from '#lib/text/network'
import { type Role, readBounceToken, readLocalPart } from './local-part.ts'

export type OpenRoute = Extract<Route, { state: 'open' }>

/** The destination of a message with a valid recipient. */
export type Destination =
  | { kind: 'forward'; route: OpenRoute }
  | { kind: 'reply'; route: OpenRoute; target: string }
  | { kind: 'report'; about: 'forward' | 'reply'; sentOn: Date; route: Route }
  | { kind: 'operator' }

export type Judged = { destination: Destination } | { refusal: Answer }

const readByOperator: Role[] = ['postmaster', 'abuse']
const unknownLimit = { most: 60, seconds: 600 }

/**
 * Decides on a recipient before the message is sent (relay §4). `client` is the address of the sending server, for
 * rate limits.
 */
export async function judgeRecipient(relay: Relay, address: string, client: string): Promise<Judged> {
  if (!isOurs(relay, address)) return { refusal: answers.notOurs }
  const part = readLocalPart(split(address).local)
  switch (part.kind) {
    case 'role':
      return readByOperator.includes(part.name) ? { destination: { kind: 'operator' } } : unknown(relay, client)
    case 'alias':
      return judgeRoute(relay, client, await relay.store.findRoute(part.name), (route) => ({ kind: 'forward', route }))
    case 'reverse': {
      const reverse = await relay.store.findReverse(part.token)
      const route = reverse && (await relay.store.findRoute(reverse.alias))
      return judgeRoute(relay, client, route, (open) => ({
        kind: 'reply',
        route: open,
        target: reverse?.target ?? '',
      }))
    }
    case 'bounce': {
      const token = readBounceToken(part.token, relay.keys.token, relay.now())
      const route = token && (await relay.store.findRoute(token.alias))
      if (route?.state === 'gone') return refuseKnown(relay, route.alias, answers.unknown)
      return route
        ? { destination: { kind: 'report', about: token.kind, sentOn: token.day, route } }
        : unknown(relay, client)
    }
    case 'unknown':
      return unknown(relay, client)
  }
}

/** Returns whether an address belongs to the relay's domain. */
export function isOurs(relay: Relay, address: string): boolean {
  const { local, domain } = split(address)
  // RFC 5321 §4.5.1: <postmaster> without a domain is the operator.
  return isSameDomain(domain, relay.domain) || (domain === '' && local.toLowerCase() === 'postmaster')
}

function split(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@')
  return at === -1 ? { local: address, domain: '' } : { local: address.slice(0, at), domain: address.slice(at + 1) }
}

/** smtp-server returns internationalized domains in Unicode. */
const isSameDomain = (one: string, other: string) =>
  one !== '' && (domainToASCII(one) || one.toLowerCase()) === (domainToASCII(other) || other.toLowerCase())

function judgeRoute(
  relay: Relay,
  client: string,
  route: Route | undefined,
  open: (route: OpenRoute) => Destination,
): Promise<Judged> | Judged {
  if (!route) return unknown(relay, client)
  switch (route.state) {
    case 'open':
      return { destination: open(route) }
    case 'closed':
      return refuseKnown(relay, route.alias, answers.closed)
    case 'gone':
      return refuseKnown(relay, route.alias, answers.unknown)
    case 'unreachable':
      return { refusal: answers.unreachable }
  }
}

/**
 * Counts the refusal before it is returned. An unknown address is looked up and counted as well, so that both take
 * the same time (relay §4).
 */
async function refuseKnown(relay: Relay, alias: string, refusal: Answer): Promise<Judged> {
  await relay.store.count(alias, 'blocked', relay.now())
  return { refusal }
}

/** Throttles clients that guess addresses (relay §4). */
async function unknown(relay: Relay, client: string): Promise<Judged> {
  const patient = await mayPassFrom(relay, 'relay-unknown', client, unknownLimit)
  return { refusal: patient ? answers.unknown : answers.tooManyUnknown }
}

/**
 * Adds one to the count of each network of an address. Returns false, and counts nothing, when one network is over
 * its limit. The counts run in parallel, so that the time to refuse an unknown recipient does not depend on the
 * number of networks (relay §4).
 */
export async function mayPassFrom(
  { store, now }: Pick<Relay, 'store' | 'now'>,
  name: string,
  address: string,
  { most, seconds }: { most: number; seconds: number },
): Promise<boolean> {
  const counts = await Promise.all(
    networksOf(address).map(async (network) => {
      const key = `${name}:${network.name}`
      return { key, passed: await store.mayPass(key, { most: most * network.factor, seconds }, now()) }
    }),
  )
  if (counts.every(({ passed }) => passed)) return true
  await Promise.all(counts.filter(({ passed }) => passed).map(({ key }) => store.giveBack(key)))
  return false
}
