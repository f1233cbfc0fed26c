import type { Knowable, SignInStore } from '#lib/account/signed-in/session'
import { browserOf } from '#lib/http/cookies'
import { readSealedCookie, sealedCookie } from '#lib/http/sealed-cookie'
import type { Site } from '#lib/http/site'

type KnowingSite = Site & { signIn: Pick<SignInStore, 'knownVersion'> }

/** A known browser: the hash of its id and, for each person, the `knownVersion` at sign-in. */
type Known = { browser: string; people: Knowable[] }

const most = 10
const seconds = 400 * 86_400

/** The cookie lines that make a browser known to a person; `isNew` when it was not before. */
export async function rememberBrowser(
  site: KnowingSite,
  cookies: string | null,
  personId: string,
): Promise<{ isNew: boolean; cookies: string[] }> {
  const knownVersion = (await site.signIn.knownVersion(personId)) ?? 0
  const { hash, setCookie } = browserOf(site, cookies)
  const people = await peopleKnownIn(site, cookies)
  if (isAmong(people, { personId, knownVersion })) return { isNew: false, cookies: [] }
  const others = people.filter((other) => other.personId !== personId)
  const known: Known = { browser: hash, people: [{ personId, knownVersion }, ...others].slice(0, most) }
  return {
    isNew: true,
    cookies: [...(setCookie ? [setCookie] : []), await sealedCookie(site, 'known', known, seconds)],
  }
}

/** The id of the browser, as a hash, when the person has signed in in it before and is still known there. */
export async function knownBrowserOf(
  site: KnowingSite,
  cookies: string | null,
  person: Knowable | undefined,
): Promise<string | undefined> {
  // Also read for unknown usernames, so that timing reveals nothing.
  const people = await peopleKnownIn(site, cookies)
  return person && isAmong(people, person) ? browserOf(site, cookies).hash : undefined
}

/** Empty for a cookie that was made for another browser, or before it named its browser. */
async function peopleKnownIn(site: KnowingSite, cookies: string | null): Promise<Knowable[]> {
  const known = await readSealedCookie<Known>(site, cookies, 'known')
  return known?.browser === browserOf(site, cookies).hash ? known.people : []
}

const isAmong = (people: Knowable[], { personId, knownVersion }: Knowable) =>
  people.some((known) => known.personId === personId && known.knownVersion === knownVersion)
