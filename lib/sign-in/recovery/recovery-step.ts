import { sha256 } from '#lib/crypto/hash'
import { openSealed, sealBytes } from '#lib/crypto/seal'
import { carry, type Destination } from '#lib/flow/destination'
import { browserOf } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import type { RecoveredBy } from './store.ts'

/** A recovery in progress: waiting for the code, choosing a password, or reviewing the account. */
export type Trip =
  | { stage: 'letter'; login: string }
  | { stage: 'password'; personId: string; before: string; by: RecoveredBy }
  | { stage: 'review'; personId: string; by: RecoveredBy; secondFactor: boolean; signedOut: boolean; at: number }

type Sealed = { trip: Trip; browser: string; at: number }
const lifetime = { letter: 3600_000, password: 600_000, review: 600_000 }

/** Seals it into one URL parameter, good in this browser alone; as long for a name that nobody has as for any other. */
export async function sealTrip(context: Context, browser: ReturnType<typeof browserOf>, trip: Trip) {
  const told: Sealed = { trip, browser: browser.hash, at: context.now().getTime() }
  const sealed = await sealBytes(context.secrets.current('seal-recovery'), Buffer.from(JSON.stringify(told)))
  return { sealed, setCookie: browser.setCookie }
}

/** Opens one of this stage; undefined for what is not ours, not this browser's, or too old. */
export async function openTrip<Stage extends Trip['stage']>(
  context: Context,
  cookies: string | null,
  sealed: string,
  stage: Stage,
): Promise<Extract<Trip, { stage: Stage }> | undefined> {
  const bytes = sealed.length <= 4096 ? await openSealed(context.secrets.all('seal-recovery'), sealed) : undefined
  if (!bytes) return undefined
  const { trip, browser, at } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Sealed
  if (trip.stage !== stage || browser !== browserOf(context, cookies).hash) return undefined
  return context.now().getTime() - at < lifetime[stage] ? (trip as Extract<Trip, { stage: Stage }>) : undefined
}

/** Lets somebody who has proved an account to be theirs choose its new password: once, in this browser, soon. */
export async function askNewPassword(
  context: Context,
  request: Request,
  destination: Destination,
  { personId, by }: { personId: string; by: RecoveredBy },
): Promise<Response> {
  const person = await context.recoveries.findRecovering(personId, context.now())
  const before = passwordMark(person?.passwordHash)
  const browser = browserOf(context, request.headers.get('cookie'))
  const { sealed, setCookie } = await sealTrip(context, browser, { stage: 'password', personId, before, by })
  return goTo(pathWith('/recover/password', { trip: sealed, ...carry(destination) }), [setCookie])
}

/** Stands for a password without saying anything about it: a new one makes what carries the old mark void. */
export const passwordMark = (passwordHash: string | undefined): string => sha256(`before ${passwordHash ?? ''}`)
