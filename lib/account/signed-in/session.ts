import { claimedSession, mostSessionDays } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'
import type { NewAppEmail } from '#lib/oauth/consent/preselected-email'
import type { TimeForm } from '#lib/text/region/time-form'

/**
 * A session of a browser. `id` is the hash of the secret in the cookie; `publicId` names the session in pages and forms.
 * A confirmation by the same person replaces the session and keeps `firstId`, from which apps get their `sid`.
 */
export type Session = {
  id: string
  firstId: string
  publicId: string
  personId: string
  amr: string[]
  authenticatedAt: Date
  expiresAt: Date
}

/** A person with an account; empty profile fields are unset. */
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
  /** When the account will be deleted; while set, no app receives tokens. */
  deleteAfter: Date | undefined
  /** Set while forwarding is paused, because mail to the bound address bounced too often. */
  mailPausedAt: Date | undefined
  /** The choice of address that is preselected for new apps. */
  newAppEmail: NewAppEmail
  /** The language and appearance of the pages; empty for each browser's own. */
  pageLanguage: string
  pageTheme: string
}

/**
 * A person, and the version that a known browser must hold; a new password and a sign-out elsewhere increase the
 * version.
 */
export type Knowable = { personId: string; knownVersion: number }

/** A person whom a browser remembers, as its sign-in page shows them. */
export type Remembered = Pick<Person, 'id' | 'username' | 'name' | 'avatarFile'>

/** The storage of sessions and credentials that sign-in needs. */
export type SignInStore = {
  /**
   * Finds a person by username or verified address; undefined for a disabled person, and after the grace period of a
   * deletion.
   */
  findCredentials(login: string, now: Date): Promise<(Knowable & { passwordHash: string | undefined }) | undefined>
  /** Returns the version that browsers known to this person must hold. */
  knownVersion(personId: string): Promise<number | undefined>
  /** Returns the people of a browser's cookie, in its order, who can still sign in and still know the browser. */
  findRemembered(known: Knowable[], now: Date): Promise<Remembered[]>
  /** Stores a stronger hash of the same password, so the time at which the password was set stays. */
  replacePasswordHash(personId: string, before: string, hash: string): Promise<void>
  /** Stores a session. Returns false, and stores nothing, if the person is erased or has another `knownVersion`. */
  createSession(session: NewSession): Promise<boolean>
  /** Returns the live session with its person; undefined when the person is disabled or due for deletion. */
  findSession(id: string, now: Date): Promise<{ session: Session; person: Person } | undefined>
  /** Ends a session, and sends a logout token to each app that received tokens in it; returns whether this call ended it. */
  endSession(id: string, now: Date): Promise<boolean>
  /** Returns whether the person can sign in with two factors: by a passkey, or by password and authenticator app. */
  hasSecondFactor(personId: string): Promise<boolean>
  /** Ends a session that a new session of the same person continues; apps are not informed. */
  endReplacedSession(id: string, now: Date): Promise<void>
}

/**
 * A session to store; without `firstId` it continues no other session. `knownVersion` is the version that was
 * read with the password hash; a new password and a sign-out elsewhere raise it.
 */
export type NewSession = Omit<Session, 'firstId'> &
  Partial<TimeForm> & {
    firstId?: string | undefined
    knownVersion?: number | undefined
    expiresAt: Date
    address: string
    device: string
  }

/** The session in use in a browser, and its person. */
export type Current = { session: Session; person: Person }

/** The parts that reading the session of a request needs. */
export type SessionSite = Site & { signIn: Pick<SignInStore, 'findSession'> }

/** Returns the live session that a browser uses, with its person. */
export async function currentSession(site: SessionSite, cookies: string | null): Promise<Current | undefined> {
  const id = await claimedSession(site, cookies)
  return id === undefined ? undefined : site.signIn.findSession(id, site.now())
}

/** Absolute limit of a session; idle sessions end earlier (security checklist, "People"). */
export const sessionDays = { absolute: mostSessionDays, idle: 14 }

/** Absolute limit of a session on a shared device, in milliseconds. */
const sharedTime = 8 * 3_600_000

/** Only a session on a shared device is this short. */
const isOnShared = ({ authenticatedAt, expiresAt }: Session): boolean =>
  expiresAt.getTime() - authenticatedAt.getTime() <= sharedTime

/**
 * Returns the end of a new session on a shared device; undefined on another. A confirmation does not prolong the session
 * that it replaces.
 */
export function endOfShared(isShared: boolean, replaced: Session | undefined, now: Date): Date | undefined {
  if (replaced && isOnShared(replaced)) return replaced.expiresAt
  return isShared ? new Date(now.getTime() + sharedTime) : undefined
}
