import { answerAppChange, answerAppWithdrawal } from '#lib/account/connected-apps/connected-apps'
import {
  answerAddressCode,
  answerAddressRemoval,
  answerAddressResend,
  answerNewAddress,
} from '#lib/account/email/change-address'
import { answerConfirmation, answerConfirmationSend } from '#lib/account/email/confirm-address'
import {
  answerAliasChoice,
  answerAliasDeletion,
  answerAliasSwitch,
  answerAliasTest,
  answerAliasWords,
} from '#lib/account/hide-my-email/change-alias'
import { answerNewAppEmail } from '#lib/account/hide-my-email/choose-new-app-email'
import { answerAliasMaking } from '#lib/account/hide-my-email/make-alias'
import { answerSessionsOthers } from '#lib/account/sessions/end-sessions'
import { currentSession } from '#lib/account/signed-in/session'
import { answerTrialCallback } from '#lib/console/trial/finish-trial'
import { answerTrialStart } from '#lib/console/trial/start-trial'
import { answerReturn } from '#lib/flow/answer-app'
import { answerAuthorize, answerStart } from '#lib/flow/authorize'
import { answerBindEmail, answerResendEmail, answerVerifyEmail } from '#lib/flow/bind-email'
import { answerChoice } from '#lib/flow/choose-account'
import { answerConsent } from '#lib/flow/consent'
import { answerContinue } from '#lib/flow/continue'
import { answerLogout } from '#lib/flow/logout'
import { openProblem } from '#lib/http/problem-page'
import type { Context } from '#lib/server/compose/context'
import { answerEmailUndo } from '#lib/sign-in/email-undo/undo-email-change'
import { answerOfferedPasskey, answerOfferLater } from '#lib/sign-in/passkey/offer-passkey'
import { answerPasskeySignIn } from '#lib/sign-in/passkey/passkey-sign-in'
import { answerPasswordChange } from '#lib/sign-in/password/change-password'
import { answerStrength } from '#lib/sign-in/password/strength/answer-strength'
import { answerOperatorLink } from '#lib/sign-in/recovery/operator-link'
import { answerRecover, answerRecoverResend, answerRecoverVerify } from '#lib/sign-in/recovery/recover'
import { answerRecoverByCode } from '#lib/sign-in/recovery/recover-by-code'
import { answerRecoverReview } from '#lib/sign-in/recovery/recovery-review'
import { answerRecoverFinish } from '#lib/sign-in/recovery/reset-password'
import { answerCodesMake } from '#lib/sign-in/recovery-codes/make-codes'
import { answerForget } from '#lib/sign-in/remembered/remembered-accounts'
import { answerTwoFactor } from '#lib/sign-in/second-factor/answer-second-factor'
import { answerSignIn } from '#lib/sign-in/sign-in-with-password'
import { answerProvenLogout, answerSignOut, readLogoutPage } from '#lib/sign-in/sign-out'
import { answerSignUp } from '#lib/sign-in/sign-up/sign-up'
import { type Asked, authorizeRequest } from '#lib/testing/oauth/authorize'

/** The end of a chain of redirects: a page of Postern, or the app. */
export type Arrival = {
  url: URL
  response: Response
  /** The paths of the chain. */
  trail: string[]
  /** The Set-Cookie lines of the chain. */
  cookieLines: string[]
  /** The query parameters of the last URL. */
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
  'POST /password/strength': answerStrength,
  'POST /passkey/offer/add': answerOfferedPasskey,
  'POST /passkey/offer/later': answerOfferLater,
  'POST /signin/forget': answerForget,
  'POST /two-factor/submit': answerTwoFactor,
  'POST /undo-email/submit': answerEmailUndo,
  'POST /choose/submit': answerChoice,
  'POST /consent/submit': answerConsent,
  'POST /bind-email/submit': answerBindEmail,
  'POST /bind-email/verify': answerVerifyEmail,
  'POST /bind-email/resend': answerResendEmail,
  'POST /recover/submit': answerRecover,
  'POST /recover/resend': answerRecoverResend,
  'POST /recover/verify': answerRecoverVerify,
  'GET /recover/link': answerOperatorLink,
  'POST /recover/finish': answerRecoverFinish,
  'POST /recover/by-code/submit': answerRecoverByCode,
  'POST /recover/review/submit': answerRecoverReview,
  'POST /account/email/submit': answerNewAddress,
  'POST /account/email/verify': answerAddressCode,
  'POST /account/email/resend': answerAddressResend,
  'POST /account/email/remove/submit': answerAddressRemoval,
  'POST /account/email/confirm/send': answerConfirmationSend,
  'POST /account/email/confirm/verify': answerConfirmation,
  'POST /account/hide-my-email/new-apps': answerNewAppEmail,
  'POST /account/hide-my-email/make': answerAliasMaking,
  'POST /account/hide-my-email/delete': answerAliasDeletion,
  'POST /account/hide-my-email/switch': answerAliasSwitch,
  'POST /account/hide-my-email/describe': answerAliasWords,
  'POST /account/hide-my-email/choice': answerAliasChoice,
  'POST /account/hide-my-email/test': answerAliasTest,
  'POST /account/security/password/submit': answerPasswordChange,
  'POST /account/security/sessions/others': answerSessionsOthers,
  'POST /account/security/codes/make': answerCodesMake,
  'GET /oauth2/logout': answerLogout,
  'POST /oauth2/logout': answerLogout,
  'GET /logout': visitLogout,
  'GET /logout/end': answerProvenLogout,
  'POST /logout/submit': answerSignOut,
  'POST /account/sharing/change': answerAppChange,
  'POST /account/sharing/withdraw': answerAppWithdrawal,
  'POST /console/app/try': answerTrialStart,
  'GET /console/try/callback': answerTrialCallback,
}

/** The answer of a page that is shown instead of a redirect. */
const shown = new Response()

/** Returns the redirect of the page /logout, or `shown`. */
async function visitLogout(context: Context, request: Request) {
  const sealed = new URL(request.url).searchParams.get('request') ?? ''
  const page = await readLogoutPage(context, request.headers.get('cookie'), sealed)
  return page instanceof Response ? page : shown
}

export type Browser = ReturnType<typeof openBrowser>

/**
 * A browser with a cookie jar that calls the handlers directly, without the network. It stops at pages and submits
 * their forms.
 */
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
      if (response === shown) return arrival
      trail.push(url.pathname)
      cookieLines.push(...response.headers.getSetCookie())
      keepCookies(jar, response)
      const location = response.headers.get('location')
      if (!location) return { ...arrival, response }
      // A 307 response would forward the password (RFC 9700 §4.12).
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
    /** Paths at which the browser does not follow redirects. */
    stops,
    visit,
    post,
    shownSession,
    /** Follows an app's authorization request. */
    authorize: (asked: Asked = {}, method: 'GET' | 'POST' = 'GET') => send(authorizeRequest(context, asked, method)),
    /** Submits the sign-in page. */
    signIn: ({ parameters: { request } }: Arrival, fields: Fields = {}, headers?: Sent) =>
      post('/signin/submit', { request, username: 'ada', password: 'correct horse battery', ...fields }, headers),
    /** Submits the consent page. By default, every scope of the test's request is ticked. */
    decide: async ({ parameters: { request } }: Arrival, fields: Fields = {}, headers?: Sent) =>
      post(
        '/consent/submit',
        { request, session: await shownSession(), scope: ['openid', 'name'], ...fields },
        headers,
      ),
    /** Returns the problem that the error page shows. */
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
