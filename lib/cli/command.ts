import type { parseArgs } from 'node:util'
import type { Resolver } from '#lib/relay/dns/resolver'

/** One command of the operator: what it takes, what it says it does, and doing it. */
export type Command = {
  /** The words that select it, with the names of its arguments in capitals: `user disable USERNAME`. */
  usage: string
  summary: string
  options?: NonNullable<Parameters<typeof parseArgs>[0]>['options']
  run(call: Call): Promise<Answer>
}

/** Everything a command may use; the edge (`main.ts`) makes it. */
export type Call = {
  args: string[]
  flags: Record<string, unknown>
  env: Record<string, string | undefined>
  now: Date
  random(bytes: number): Buffer
  resolver: Resolver
  readStdin(): Promise<Uint8Array>
  /** Says something to the person at the terminal; never part of the answer. */
  say(line: string): void
}

/**
 * `value` goes to stdout as JSON; `text`, where there is one, says the same to a person. A secret is never in `text`, which
 * goes to stderr, and so into logs, when stdout is no terminal.
 */
export type Answer = { ok: boolean; value: unknown; text?: string; secrets?: ShownSecret[] }

/** A secret that is shown once, and what a person reads above it. */
export type ShownSecret = { title: string; value: string }

/** A refusal for the operator to read: one sentence on stderr, exit 1. */
export class Refusal extends Error {}
