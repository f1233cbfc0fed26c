import { claimedSession } from '#lib/http/session-cookie'
import type { Site } from '#lib/http/site'

/** A signed-in browser. Its id is the hash of the secret in the cookie; `publicId` may be shown and put in forms. */
export type Session = {
  id: string
  publicId: string
  personId: string
  amr: string[]
  authenticatedAt: Date
}

/** Somebody with an account, as the journey needs to know them; empty profile fields are unset. */
export type Person = {
  id: string
  username: string
  name: string
  nickname: string
  biography: string
  gender: string
  birthdate: string
  region: string
  locale: string
  email: string | undefined
  avatarFile: string | undefined
  /** Set once they asked to be deleted: from then on no app is let in. */
  deleteAfter: Date | undefined
  /** Set while nothing is forwarded, because mail to the bound address came back for good too often. */
  mailPausedAt: Date | undefined
}

/** A person, and the version that a browser must carry to be known to them: a new password or sign-out elsewhere raises it. */
export type Knowable = { personId: string; knownVersion: number }

/** What signing in asks of storage. */
export type SignInStore = {
  /** By username or verified address; disabled people are not found. */
  findCredentials(login: string, now: Date): Promise<(Knowable & { passwordHash: string | undefined }) | undefined>
  /** The version of what makes browsers known to this person. */
  knownVersion(personId: string): Promise<number | undefined>
  replacePasswordHash(personId: string, before: string, hash: string): Promise<void>
  createSession(session: Session & { expiresAt: Date; address: string; device: string }): Promise<void>
  /** The living session with its person; undefined when it ended, expired, or the person was disabled or is due to be deleted. */
  findSession(id: string, now: Date): Promise<{ session: Session; person: Person } | undefined>
  endSession(id: string, now: Date): Promise<void>
}

/** The session in use in a browser, and its person. */
export type Current = { session: Session; person: Person }

/** What reading the session of a request takes. */
export type SessionSite = Site & { signIn: Pick<SignInStore, 'findSession'> }

/** Returns the live session that a browser uses, with its person. */
export async function currentSession(site: SessionSite, cookies: string | null): Promise<Current | undefined> {
  const id = await claimedSession(site, cookies)
  return id === undefined ? undefined : site.signIn.findSession(id, site.now())
}

/** Absolute limit of a session; idle sessions end earlier (security checklist, "People"). */
export const sessionDays = { absolute: 30, idle: 14 }
