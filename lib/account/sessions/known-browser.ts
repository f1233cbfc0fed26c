import type { Knowable, SignInStore } from '#lib/account/signed-in/session'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { browserOf, cookieName, readCookie, sentBrowser, setCookie } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'

type KnowingSite = Site & { signIn: Pick<SignInStore, 'knownVersion'> }

const mostPeople = 10
/**
 * Contains the people to whom the browser is known, each with the `knownVersion` at sign-in, the latest first. The
 * sign-in page shows them (decision 0058).
 */
const kind: TokenKind = { purpose: 'seal-known', seconds: 400 * 86_400, longest: 3900 }

/**
 * Returns the Set-Cookie lines that put a person first among those known; `isNew` when the browser was not known before.
 * Reads the person's `knownVersion` if the caller has not read it.
 */
export async function rememberBrowser(
  site: KnowingSite,
  request: Request,
  { personId, ...read }: { personId: string; knownVersion?: number | undefined },
): Promise<{ isNew: boolean; cookies: string[] }> {
  const knownVersion = read.knownVersion ?? (await site.signIn.knownVersion(personId)) ?? 0
  const browser = browserOf(site, request)
  const people = await peopleKnownIn(site, request.headers.get('cookie'))
  const others = people.filter((other) => other.personId !== personId)
  const known: Knowable[] = [{ personId, knownVersion }, ...others].slice(0, mostPeople)
  const cookie = await knownCookie(site, browser.hash, known)
  const isNew = !isAmong(people, { personId, knownVersion })
  return { isNew, cookies: browser.setCookie ? [browser.setCookie, cookie] : [cookie] }
}

/** Returns the Set-Cookie lines that make a browser forget a person; none when it does not know the person. */
export async function forgetPerson(site: Site, request: Request, personId: string): Promise<string[]> {
  const people = await peopleKnownIn(site, request.headers.get('cookie'))
  const others = people.filter((other) => other.personId !== personId)
  return others.length < people.length ? [await knownCookie(site, browserOf(site, request).hash, others)] : []
}

const knownCookie = async (site: Site, browser: string, people: Knowable[]) =>
  people.length === 0
    ? setCookie(site, 'known', '', 0)
    : setCookie(site, 'known', sealToken(site, kind, { browser }, people), kind.seconds)

/** Returns the hash of the browser's id when the browser is known to the person. */
export async function knownBrowserOf(
  site: Site,
  cookies: string | null,
  person: Knowable | undefined,
): Promise<string | undefined> {
  // Also read for unknown usernames, so that timing reveals nothing.
  const people = await peopleKnownIn(site, cookies)
  return person && isAmong(people, person) ? sentBrowser(site, cookies) : undefined
}

/** Returns the people to whom the browser is known, the latest first; their versions may be old. */
export async function peopleKnownIn(site: Site, cookies: string | null): Promise<Knowable[]> {
  const sealed = readCookie(cookies, cookieName(site, 'known')) ?? ''
  return openToken<Knowable[]>(site, kind, { browser: sentBrowser(site, cookies) }, sealed) ?? []
}

const isAmong = (people: Knowable[], { personId, knownVersion }: Knowable) =>
  people.some((known) => known.personId === personId && known.knownVersion === knownVersion)
