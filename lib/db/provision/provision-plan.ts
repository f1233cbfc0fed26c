import type { Prisma } from '#lib/db/generated/sqlite/client'
import type { Problem } from '#lib/text/read-fields'

/** The writes that make the database match a file; planning writes nothing. */
export type Plan = {
  steps: Step[]
  problems: Problem[]
  notes: string[]
  /** The ids of apps that get a generated secret. */
  generates: string[]
  /** Declared passwords, each with the stored hash; `stored` is undefined for a new person. */
  passwords: { path: string; username: string; password: string; stored: string | null | undefined }[]
}

/** One change, with the write that applies it. */
export type Step = {
  change: Change
  differences: Difference[]
  /** Applies the change; adds a generated secret to `secrets` under the app's id. */
  write(writer: Writer, secrets: Map<string, string>): Promise<unknown>
}

export type Change = {
  op: 'create' | 'update'
  kind: 'team' | 'api' | 'app' | 'person' | 'secret' | 'key' | 'domain'
  id: string
  fields: string[]
}

export type Difference = { field: string; before: unknown; after: unknown }

/** The inputs of a plan. `passwordHashes` is filled only before the plan is written. */
export type Tools = {
  now: Date
  random(bytes: number): Buffer
  passwordHashes: Map<string, string>
  credentials: CredentialRules
}

/**
 * Rules for apps and the relay. The caller passes them in, because this module may not import the modules that define
 * them.
 */
export type CredentialRules = { mostLiveSecrets: number; makeSecret: Make; makeSecretId: Make; makeProof: Make }
type Make = (random: (bytes: number) => Buffer) => string

export type Writer = Prisma.TransactionClient

const emptyPlan: Plan = { steps: [], problems: [], notes: [], generates: [], passwords: [] }

/** Concatenates plans. */
export function joinPlans(plans: Partial<Plan>[]): Plan {
  const all = plans.map((plan) => ({ ...emptyPlan, ...plan }))
  return {
    steps: all.flatMap((plan) => plan.steps),
    problems: all.flatMap((plan) => plan.problems),
    notes: all.flatMap((plan) => plan.notes),
    generates: all.flatMap((plan) => plan.generates),
    passwords: all.flatMap((plan) => plan.passwords),
  }
}

/** Returns the declared columns whose values differ. */
export function differ(before: Record<string, unknown>, after: Record<string, unknown>): Difference[] {
  return Object.entries(after)
    .filter(([field, value]) => value !== undefined && before[field] !== value)
    .map(([field, value]) => ({ field, before: before[field], after: value }))
}

/** Returns since when scopes wait for an operator's approval: the time of the first one; null if none waits. */
export const waitingSince = (
  { waitingScopes }: { waitingScopes: string[] },
  before: { waitingSince: Date | null } | undefined,
  now: Date,
): Date | null => (waitingScopes.length === 0 ? null : (before?.waitingSince ?? now))

/** Returns the new values by column. */
export const valuesOf = (differences: Difference[]) =>
  Object.fromEntries(differences.map(({ field, after }) => [field, after]))
