import { currentSession } from '#lib/account/signed-in/session'
import { setCookie } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import { readSealedCookie, sealedCookie } from '#lib/http/sealed-cookie'
import type { Context } from '#lib/server/compose/context'

/** Recovery codes on their way to the one page that shows them; only hashes are stored. */
export type ShownCodes = { personId: string; codes: string[] }

const seconds = 900

/** The cookie line that carries new codes to the page that shows them. */
export const codesCookie = (context: Context, shown: ShownCodes): Promise<string> =>
  sealedCookie(context, 'codes', shown, seconds)

/** Leads to the codes first, and from there to where an answer would have led. */
export async function showCodes(context: Context, answer: Response, codes: string[], personId: string) {
  const path = pathWith('/signup/codes', { to: answer.headers.get('location') ?? '/account' })
  return goTo(path, [...answer.headers.getSetCookie(), await codesCookie(context, { personId, codes })])
}

/** The codes just made for whoever is signed in in this browser. */
export async function readShownCodes(context: Context, cookies: string | null): Promise<string[] | undefined> {
  const shown = await readSealedCookie<ShownCodes>(context, cookies, 'codes')
  if (!shown) return undefined
  const current = await currentSession(context, cookies)
  return current?.person.id === shown.personId ? shown.codes : undefined
}

/** GET /account/security/codes/download: the codes as a text file, as long as their page shows them. */
export async function answerCodesDownload(context: Context, request: Request): Promise<Response> {
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

/** The line that forgets them. */
export const forgetCodes = (context: Context): string => setCookie(context, 'codes', '', 0)
