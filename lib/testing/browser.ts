import type { Context } from '../context.ts'
import { answerReturn } from '../journey/app-answer.ts'
import { answerAuthorize } from '../journey/authorize.ts'
import { answerBindEmail, answerResendEmail, answerVerifyEmail } from '../journey/bind-email.ts'
import { answerChoice } from '../journey/choose-account.ts'
import { answerConsent } from '../journey/consent.ts'
import { answerContinue } from '../journey/continue.ts'
import { answerPasskeySignIn } from '../journey/passkey-sign-in.ts'
import { openProblem } from '../journey/problem-page.ts'
import { answerRecover, answerRecoverResend, answerRecoverVerify } from '../journey/recover.ts'
import { answerRecoverByCode } from '../journey/recover-by-code.ts'
import { answerRecoverFinish } from '../journey/recover-password.ts'
import { answerRecoverReview } from '../journey/recovery-review.ts'
import { answerSignIn } from '../journey/sign-in.ts'
import { answerSignOut } from '../journey/sign-out.ts'
import { answerSignUp } from '../journey/sign-up.ts'
import { answerStart } from '../journey/start.ts'
import { currentSession } from '../journey/traveller.ts'
import { answerTwoFactor } from '../journey/two-factor.ts'
import { answerConfirmation, answerConfirmationSend } from '../self-service/confirm-address.ts'
import { answerAppChange, answerAppWithdrawal } from '../self-service/connected-apps.ts'
import {
  answerAddressCode,
  answerAddressRemoval,
  answerAddressResend,
  answerNewAddress,
} from '../self-service/email.ts'
import { answerAliasChoice, answerAliasSwitch, answerAliasTest } from '../self-service/hide-my-email.ts'
import { answerPasswordChange } from '../self-service/password.ts'
import { answerCodesMake } from '../self-service/recovery-codes.ts'
import { answerSessionsOthers } from '../self-service/sessions.ts'
import { type Asked, authorizeRequest } from './authorize.ts'

/** Where a chain of redirects ended: a page of ours, or the app. */
export type Arrival = {
  url: URL
  response: Response
  /** The paths that were gone through. */
  trail: string[]
  /** The lines of cookies that were set on the way. */
  cookieLines: string[]
  /** What the last address carries. */
  parameters: Record<string, string>
}

type Handler = (context: Context, request: Request) => Promise<Response>
type Fields = Record<string, string | string[] | undefined>
type Sent = Record<string, string>

const handlers: Record<string, Handler> = {
  'GET /oauth2/authorize': answerAuthorize,
  'POST /oauth2/authorize': answerAuthorize,
  'GET /start': answerStart,
  'GET /continue': answerContinue,
  'GET /return': answerReturn,
  'POST /signin/submit': answerSignIn,
  'POST /signup/submit': answerSignUp,
  'POST /passkey/signin': answerPasskeySignIn,
  'POST /two-factor/submit': answerTwoFactor,
  'POST /choose/submit': answerChoice,
  'POST /consent/submit': answerConsent,
  'POST /bind-email/submit': answerBindEmail,
  'POST /bind-email/verify': answerVerifyEmail,
  'POST /bind-email/resend': answerResendEmail,
  'POST /recover/submit': answerRecover,
  'POST /recover/resend': answerRecoverResend,
  'POST /recover/verify': answerRecoverVerify,
  'POST /recover/finish': answerRecoverFinish,
  'POST /recover/by-code/submit': answerRecoverByCode,
  'POST /recover/review/submit': answerRecoverReview,
  'POST /account/email/submit': answerNewAddress,
  'POST /account/email/verify': answerAddressCode,
  'POST /account/email/resend': answerAddressResend,
  'POST /account/email/remove/submit': answerAddressRemoval,
  'POST /account/email/confirm/send': answerConfirmationSend,
  'POST /account/email/confirm/verify': answerConfirmation,
  'POST /account/hide-my-email/switch': answerAliasSwitch,
  'POST /account/hide-my-email/choice': answerAliasChoice,
  'POST /account/hide-my-email/test': answerAliasTest,
  'POST /account/security/password/submit': answerPasswordChange,
  'POST /account/security/sessions/others': answerSessionsOthers,
  'POST /account/security/codes/make': answerCodesMake,
  'POST /signout/submit': answerSignOut,
  'POST /account/sharing/change': answerAppChange,
  'POST /account/sharing/withdraw': answerAppWithdrawal,
}

export type Browser = ReturnType<typeof openBrowser>

/** A browser with a cookie jar that knows the handlers instead of a network; pages are where it stops and fills in forms. */
export function openBrowser(context: Context, address = '192.0.2.1') {
  const { issuer, accountUrl } = context.config
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const stops = new Set<string>()
  const send = async (request: Request): Promise<Arrival> => {
    const [trail, cookieLines]: [string[], string[]] = [[], []]
    let [next, response] = [request, new Response()]
    for (;;) {
      const url = new URL(next.url)
      const arrival = { url, response, trail, cookieLines, parameters: Object.fromEntries(url.searchParams) }
      const handler = handlers[`${next.method} ${url.pathname}`]
      const ours = url.origin === accountUrl || (url.origin === issuer && url.pathname.startsWith('/oauth2/'))
      if (!ours || !handler || (trail.length > 0 && stops.has(url.pathname))) return arrival
      if (url.origin === accountUrl) next.headers.set('cookie', cookies())
      next.headers.set('x-postern-client', address)
      response = await handler(context, next)
      trail.push(url.pathname)
      cookieLines.push(...response.headers.getSetCookie())
      keepCookies(jar, response)
      const location = response.headers.get('location')
      if (!location) return { ...arrival, response }
      // 307 would send a password on (RFC 9700 §4.12).
      if (response.status !== 303) throw new Error(`${url.pathname} redirects with ${response.status}.`)
      next = new Request(new URL(location, url))
    }
  }
  const visit = (url: string | URL) => send(new Request(new URL(url, accountUrl)))
  const post = (path: string, fields: Fields, headers: Sent = { 'sec-fetch-site': 'same-origin' }) =>
    send(formRequest(new URL(path, accountUrl), fields, headers))
  const shownSession = async () => (await currentSession(context, cookies()))?.session.publicId
  return {
    jar,
    cookies,
    /** Paths at which redirects are not followed. */
    stops,
    visit,
    post,
    shownSession,
    /** Follows an app's request. */
    authorize: (asked: Asked = {}, method: 'GET' | 'POST' = 'GET') => send(authorizeRequest(context, asked, method)),
    /** Fills in the sign-in page. */
    signIn: ({ parameters: { request } }: Arrival, fields: Fields = {}, headers?: Sent) =>
      post('/signin/submit', { request, username: 'ada', password: 'correct horse battery', ...fields }, headers),
    /** Fills in the consent page; without scopes of one's own everything of the test's request stays ticked. */
    decide: async ({ parameters: { request } }: Arrival, fields: Fields = {}, headers?: Sent) =>
      post(
        '/consent/submit',
        { request, session: await shownSession(), scope: ['openid', 'name'], ...fields },
        headers,
      ),
    /** What the error page would say. */
    problemOn: ({ parameters: { e = '' } }: Arrival) => openProblem(context, e),
  }
}

function keepCookies(jar: Map<string, string>, response: Response) {
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/; Max-Age=0(;|$)/.test(line)) jar.delete(name)
    else jar.set(name, value)
  }
}

function formRequest(url: URL, fields: Fields, headers: Sent): Request {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const body = new URLSearchParams(pairs).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return new Request(url, { method: 'POST', headers: { ...type, ...headers }, body })
}
