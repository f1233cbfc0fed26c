import type { DkimKey } from '#lib/relay/dkim/sign'
import type { Resolver } from '#lib/relay/dns/resolver'
import type { NextHop } from '#lib/relay/outbound/next-hop'
import type { RelayStore } from './store.ts'

/** The dependencies of the relay, provided by the composition root. */
export type Relay = {
  domain: string
  /** On a loopback issuer, mail from this machine needs no authentication (relay §3). */
  evaluation: boolean
  store: RelayStore
  nextHop: NextHop
  resolver: Resolver
  /**
   * Returns the proven domains of an app; if there are any, only these domains may send to its aliases (relay §3).
   */
  verifiedDomains(appId: string): Promise<string[]>
  /** Returns the current DKIM keys. */
  signingKeys(): Promise<DkimKey[]>
  keys: RelayKeys
  seal(text: string): string
  open(sealed: string): string | undefined
  /** The recipient of mail to postmaster@ and abuse@. */
  operator: string
  now(): Date
  random(bytes: number): Buffer
  events: RelayEvents
}

/** HMAC keys: the current one and those of previous master keys that are still configured. */
type Keys = [current: Buffer, ...before: Buffer[]]
export type RelayKeys = { token: Keys; mark: Keys; print: Keys }

/** Callbacks for events that the operator, the app's developers or the person can see. */
export type RelayEvents = {
  /** Counts the outcome of a message for the operator. */
  outcome(path: Path, outcome: string): void
  /** Records a refusal with its exact reason for the app's developers (relay §8). */
  refused(appId: string, refusal: { code: string; reason: string; detail: Record<string, unknown> }): void
  /** Records in the person's activity that a reply bounced. */
  replyReturned(personId: string, about: { app: string } | { label: string }): Promise<void>
  /** Records that forwarding was paused after repeated bounces. */
  mailPaused(personId: string): Promise<void>
  fault(fault: unknown): void
}

export type Path = 'forward' | 'reply' | 'report' | 'operator' | 'recipient'
