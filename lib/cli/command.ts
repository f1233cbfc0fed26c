import type { parseArgs } from 'node:util'
import type { Resolver } from '#lib/relay/dns/resolver'

/** A command of the operator. */
export type Command = {
  /** The words that select the command, followed by its arguments in capitals: `user disable USERNAME`. */
  usage: string
  summary: string
  options?: NonNullable<Parameters<typeof parseArgs>[0]>['options']
  run(call: Call): Promise<Answer>
}

/** The inputs of a command; `main.ts` creates them. */
export type Call = {
  args: string[]
  flags: Record<string, unknown>
  env: Record<string, string | undefined>
  now: Date
  random(bytes: number): Buffer
  resolver: Resolver
  readStdin(): Promise<Uint8Array>
  /** Lets other processes of the machine go first, until this process ends. */
  lowerPriority?(): void
  /** Writes a line for the operator to stderr. The line is not part of the answer. */
  say(line: string): void
}

/**
 * `value` goes to stdout as JSON; `text` says the same in plain words. `text` must not contain a secret: without a
 * terminal it goes to stderr, and so into logs.
 */
export type Answer = { ok: boolean; value: unknown; text?: string; secrets?: ShownSecret[] }

/** A secret that is shown once, with the sentence above it. */
export type ShownSecret = { title: string; value: string }

/** An expected failure: one sentence on stderr, exit code 1. */
export class Refusal extends Error {}
