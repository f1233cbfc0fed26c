import { currentSession, type SessionSite } from '#lib/account/signed-in/session'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { cookieName, readCookie, setCookie } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'

/** New codes on their way to the one page that shows them; only their hashes are stored. */
const kind: TokenKind = { purpose: 'seal-codes', seconds: 900, longest: 3900 }

/** Returns the Set-Cookie line that carries new codes to the page that shows them to their owner. */
export const codesCookie = (context: Site, personId: string, codes: string[]): string =>
  setCookie(context, 'codes', sealToken(context, kind, { person: personId }, codes), kind.seconds)

/** Leads to the page with the codes, and from there to the location of `answer`. */
export async function showCodes(context: Site, answer: Response, codes: string[], personId: string) {
  const path = pathWith('/signup/codes', { to: answer.headers.get('location') ?? '/account' })
  return goTo(path, [...answer.headers.getSetCookie(), codesCookie(context, personId, codes)])
}

/** Returns the new codes of the person signed in in this browser. */
export async function readShownCodes(context: SessionSite, cookies: string | null): Promise<string[] | undefined> {
  const sealed = readCookie(cookies, cookieName(context, 'codes'))
  const current = sealed && (await currentSession(context, cookies))
  return current ? openToken(context, kind, { person: current.person.id }, sealed) : undefined
}

/** GET /account/security/codes/download: the codes as a text file, while the cookie with the codes lives. */
export async function answerCodesDownload(context: SessionSite, request: Request): Promise<Response> {
  const cookies = request.headers.get('cookie')
  const [codes, current] = [await readShownCodes(context, cookies), await currentSession(context, cookies)]
  if (!codes || !current) return goTo('/account/security/codes')
  const { serviceName, accountUrl } = context.config
  const file = `${serviceName}: ${current.person.username}\n${accountUrl}\n${context.now().toISOString().slice(0, 10)}\n\n${codes.join('\n')}\n`
  return new Response(file, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="recovery-codes.txt"',
      'cache-control': 'no-store',
    },
  })
}

/** Returns the Set-Cookie line that deletes the codes. */
export const forgetCodes = (context: Pick<Site, 'config'>): string => setCookie(context, 'codes', '', 0)
