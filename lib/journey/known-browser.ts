import type { Context } from '#lib/context'
import { browserOf } from './cookies.ts'
import { readSealedCookie, sealedCookie } from './sealed-cookie.ts'

const most = 10
const seconds = 400 * 86_400

/** Who has signed in in this browser before: strangers' failures elsewhere do not slow them down here. */
const knownPeople = async (context: Context, cookies: string | null): Promise<string[]> =>
  (await readSealedCookie<string[]>(context, cookies, 'known')) ?? []

/** The cookie line that remembers a person, when it does not already. */
export async function rememberHere(
  context: Context,
  cookies: string | null,
  personId: string,
): Promise<string | undefined> {
  const known = await knownPeople(context, cookies)
  if (known.includes(personId)) return undefined
  return sealedCookie(context, 'known', [personId, ...known].slice(0, most), seconds)
}

/**
 * Under which name failures for somebody are counted: this browser's own where they are known, else everybody's for
 * what was typed; a name and an address of one account are not told to belong together.
 */
export async function countedAs(
  context: Context,
  cookies: string | null,
  who: string | undefined,
  typed: string | undefined = who,
): Promise<string> {
  // Read for nobody too: the time it takes would tell that there is somebody.
  const known = await knownPeople(context, cookies)
  return who !== undefined && known.includes(who)
    ? `known:${who}:${browserOf(context, cookies).hash}`
    : `account:${typed}`
}
