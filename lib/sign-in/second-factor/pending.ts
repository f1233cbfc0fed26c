import { openSealed, sealBytes } from '#lib/crypto/seal'
import { cookieName, readCookie, setCookie } from '#lib/http/cookies'
import type { Context } from '#lib/server/compose/context'
import { passwordMark } from '#lib/sign-in/recovery/recovery-step'
import type { RecoveredBy } from '#lib/sign-in/recovery/store'

/** A new password that waits for the second factor. */
export type Reset = { hash: string; signOut: boolean; revoke: boolean; by: RecoveredBy }

/** Somebody between two proofs: the password was right or may be set anew, the second factor is still to come. */
export type Pending = { personId: string; password: string; reset?: Reset }

const minutes = 10

/** A cookie line that remembers the first proof for a few minutes; it is no session and opens nothing. */
export async function pendingCookie(context: Context, proven: Omit<Pending, 'password'>): Promise<string> {
  const pending: Pending = { ...proven, password: await markOf(context, proven.personId) }
  const told = Buffer.from(JSON.stringify({ pending, at: context.now().getTime() }))
  return setCookie(context, 'pending', await sealBytes(context.secrets.current('seal-pending'), told), minutes * 60)
}

/** Whose second factor is awaited in this browser. */
export async function readPending(context: Context, cookies: string | null): Promise<Pending | undefined> {
  const sealed = readCookie(cookies, cookieName(context, 'pending'))
  const bytes = sealed && (await openSealed(context.secrets.all('seal-pending'), sealed))
  if (!bytes) return undefined
  const { pending, at } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { pending: Pending; at: number }
  if (context.now().getTime() - at >= minutes * 60_000) return undefined
  return pending.password === (await markOf(context, pending.personId)) ? pending : undefined
}

/** A password that was changed meanwhile proves nothing any more. */
const markOf = async ({ signUps }: Context, personId: string) => passwordMark(await signUps.findPassword(personId))
