import type { DkimKey } from '#lib/relay/dkim/sign'
import type { Resolver } from '#lib/relay/dns/resolver'
import type { NextHop } from '#lib/relay/outbound/next-hop'
import type { RelayStore } from './store.ts'

/** Everything the relay works with, given to it by the composition root. */
export type Relay = {
  domain: string
  /** On a loopback issuer mail from this very machine needs no authentication (relay §3). */
  evaluation: boolean
  store: RelayStore
  nextHop: NextHop
  resolver: Resolver
  /** The domains an app has proven; with any, only they may write (relay §3). */
  verifiedDomains(appId: string): Promise<string[]>
  /** The keys mail is signed with now (DKIM). */
  signingKeys(): Promise<DkimKey[]>
  keys: RelayKeys
  seal(text: string): Promise<string>
  open(sealed: string): Promise<string | undefined>
  /** Where mail to postmaster@ and abuse@ goes. */
  operator: string
  now(): Date
  random(bytes: number): Buffer
  events: RelayEvents
}

/** Keys of HMACs: what was made under the previous master key is known while that one is still named. */
type Keys = [current: Buffer, ...before: Buffer[]]
export type RelayKeys = { token: Keys; mark: Keys; print: Keys }

/** What is worth knowing, and to whom. */
export type RelayEvents = {
  /** Counted for the operator: what became of a message. */
  outcome(path: Path, outcome: string): void
  /** Shown to the app's developers, with the exact reason (relay §8). */
  refused(appId: string, refusal: { code: string; reason: string; detail: Record<string, unknown> }): void
  /** A reply came back: shown to the person who wrote it. */
  replyReturned(personId: string, app: string): Promise<void>
  /** Mail to the bound address came back for good too often. */
  mailPaused(personId: string): Promise<void>
  fault(fault: unknown): void
}

export type Path = 'forward' | 'reply' | 'report' | 'operator' | 'recipient'
