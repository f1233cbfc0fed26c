import { type Theme, themes } from '#lib/account/profile/page-look'
import type { Offered } from '#lib/brand/brand-texts'
import { cookieName } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'
import { timeZoneCookie } from '#lib/text/region/time-form'

export type StrangerSite = { config: Site['config'] & Pick<Offered, 'languages'> }

/** What Postern reads from the cookies of a stranger: a visitor who is not signed in, whom the browser may remember. */
export type Stranger = {
  /** The id that `/start` gave the browser. */
  id: string | undefined
  /** The cookies with the theme and the language that were chosen in the footer. */
  look: string
  /** Whether the browser has the cookie of the people whom it remembers. */
  remembers: boolean
}

/** The longest Cookie header that is read, in characters. */
const longest = 4000

/**
 * Reads a Cookie header. Returns undefined if the browser has a cookie of ours about a session or a step, one with an unknown
 * name or value, or the same one twice. The time zone and the refused offer of a passkey are ignored, because the pages for
 * strangers show neither, and so are the cookies that other programs of the domain have set.
 */
export function readStranger({ config }: StrangerSite, cookies = ''): Stranger | undefined {
  if (cookies.length > longest) return undefined
  const isKnown = new Map<string, (value: string) => boolean>([
    [cookieName({ config }, 'browser'), (value) => /^[\w-]{43}$/.test(value)],
    ['postern_theme', (value) => themes.includes(value as Theme)],
    ['postern_language', (value) => config.languages.includes(value)],
    [timeZoneCookie, () => true],
    [cookieName({ config }, 'known'), () => true],
    [cookieName({ config }, 'offer'), () => true],
  ])
  const held = new Map<string, string>()
  for (const pair of cookies.split(';')) {
    const [name = '', ...values] = pair.trim().split('=')
    const value = values.join('=')
    if (!/^(__Host-)?postern/.test(name)) continue
    if (held.has(name) || !isKnown.get(name)?.(value)) return undefined
    held.set(name, value)
  }
  const look = ['postern_language', 'postern_theme'].flatMap((name) =>
    held.has(name) ? [`${name}=${held.get(name)}`] : [],
  )
  return {
    id: held.get(cookieName({ config }, 'browser')),
    look: look.join('; '),
    remembers: held.has(cookieName({ config }, 'known')),
  }
}
