import { answerReturn } from '#lib/flow/answer-app'
import { answerAuthorize, answerStart } from '#lib/flow/authorize'
import { answerConsent } from '#lib/flow/consent'
import { answerContinue } from '#lib/flow/continue'
import { answerLogout } from '#lib/flow/logout'
import { answerPush } from '#lib/oauth/authorize/push'
import { discovery } from '#lib/oauth/discovery/discovery'
import { answerJwks } from '#lib/oauth/discovery/jwks'
import { answerToken } from '#lib/oauth/token/endpoint'
import { answerIntrospect } from '#lib/oauth/token/introspect'
import { answerRevoke } from '#lib/oauth/token/revoke'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import type { Context } from '#lib/server/compose/context'
import { answerSignIn } from '#lib/sign-in/sign-in-with-password'
import { answerSignOut } from '#lib/sign-in/sign-out'
import { hostileHeader, hostilePair, hostileText } from '#lib/testing/relay/hostile'
import type { Chance } from './chance.ts'

/** Valid values by parameter or header name, so that a request passes the first checks. */
export type Good = Record<string, readonly string[]>

type Endpoint = {
  answer(context: Context, request: Request): Response | Promise<Response>
  method: 'GET' | 'POST'
  names: string[]
}
const protocol =
  (answer: (oauth: Context['oauth'], request: Request) => Promise<Response>) => (context: Context, request: Request) =>
    answer(context.oauth, request)
const asClient = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type']

const authorizeNames =
  `response_type client_id redirect_uri scope state code_challenge code_challenge_method nonce prompt
  max_age login_hint id_token_hint ui_locales acr_values display claims dpop_jkt request request_uri response_mode`.split(
    /\s+/,
  )
const logoutNames = ['id_token_hint', 'logout_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales']
const tokenNames = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', ...asClient]
const post = 'POST' as const
const get = 'GET' as const

/** Every endpoint, called without the front door. */
export const endpoints = {
  authorize: { answer: answerAuthorize, method: get, names: authorizeNames },
  token: { answer: protocol(answerToken), method: post, names: tokenNames },
  par: { answer: protocol(answerPush), method: post, names: [...new Set([...authorizeNames, ...asClient])] },
  introspect: { answer: protocol(answerIntrospect), method: post, names: ['token', 'token_type_hint', ...asClient] },
  revoke: { answer: protocol(answerRevoke), method: post, names: ['token', 'token_type_hint', ...asClient] },
  userinfo: { answer: protocol(answerUserinfo), method: get, names: ['access_token'] },
  jwks: { answer: ({ oauth }) => answerJwks(oauth), method: get, names: [] },
  discovery: { answer: (context) => discovery(context.discovery), method: get, names: [] },
  start: { answer: answerStart, method: get, names: ['request'] },
  continue: { answer: answerContinue, method: get, names: ['request'] },
  return: { answer: answerReturn, method: get, names: ['r'] },
  signin: { answer: answerSignIn, method: post, names: ['request', 'username', 'password', 'action'] },
  consent: {
    answer: answerConsent,
    method: post,
    names: ['request', 'session', 'scope', 'email_choice', 'name', 'action'],
  },
  logout: { answer: answerLogout, method: get, names: logoutNames },
  signout: { answer: answerSignOut, method: post, names: ['request', 'session', 'ui_locales'] },
} satisfies Record<string, Endpoint>
export type EndpointName = keyof typeof endpoints

/** How often each endpoint is called; a sign-in costs a password hash. */
const weights: Record<EndpointName, number> = {
  authorize: 25,
  token: 22,
  par: 10,
  introspect: 9,
  revoke: 9,
  userinfo: 14,
  jwks: 1,
  discovery: 1,
  start: 5,
  continue: 6,
  return: 2,
  signin: 1.5,
  consent: 3,
  logout: 6,
  signout: 2,
}

export type Fuzzed = { name: EndpointName; request: Request; described: string }

/** Returns the next request: mostly a valid one with one fault, sometimes one with many faults. */
export function fuzzRequest(chance: Chance, issuer: string, good: Good): Fuzzed {
  const name = chance.weighted(weights)
  const endpoint: Endpoint = endpoints[name]
  const method = fuzzMethod(chance, endpoint)
  const goodHere = asOneClient(chance, endpoint, name, good)
  const form = fuzzForm(chance, name, endpoint.names, goodHere)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const url = `${issuer}/${name}${hasBody && chance.one(0.9) ? '' : `?${form}`}`
  const headers = fuzzHeaders(chance, goodHere)
  const body = hasBody ? fuzzBody(chance, form) : undefined
  const request = new Request(url, { method, headers, ...(body !== undefined && { body }) })
  return { name, request, described: JSON.stringify({ method, url, headers, body: String(body) }).slice(0, 3000) }
}

function fuzzMethod(chance: Chance, { method, names }: Endpoint): string {
  if (chance.one(0.02)) return chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
  return names.length > 0 && method === 'GET' && chance.one(0.2) ? 'POST' : method
}

/** Most requests authenticate as an app with one method; some use several methods at once. */
function asOneClient(chance: Chance, { names }: Endpoint, name: EndpointName, good: Good): Good {
  const tokens = (good.authorization ?? []).filter((value) => /^(Bearer|DPoP)/.test(value))
  if (name === 'userinfo') return { ...good, authorization: [...tokens, ''] }
  if (!names.includes('client_secret')) return good
  const nothing = Object.fromEntries(['authorization', ...asClient].map((each) => [each, ['']]))
  const basics = (good.authorization ?? []).filter((value) => value.startsWith('Basic'))
  const { client_assertion = [], client_assertion_type = [] } = good
  switch (chance.weighted({ basic: 6, public: 1, assertion: 3, everything: 1 })) {
    case 'basic':
      return { ...good, ...nothing, authorization: basics }
    case 'public':
      return { ...good, ...nothing, client_id: ['acme-spa'] }
    case 'assertion': {
      const given = (values: readonly string[]) => values.filter((value) => value !== '')
      const assertion = {
        client_assertion: given(client_assertion),
        client_assertion_type: given(client_assertion_type),
      }
      return { ...good, ...nothing, ...assertion, client_id: ['', 'acme-robot'] }
    }
    case 'everything':
      return good
  }
}

function fuzzForm(chance: Chance, endpoint: EndpointName, names: string[], good: Good): string {
  const broken = chance.pick([0, 0, 0.05, 0.05, 0.2, 0.6])
  const pairs = names.flatMap((name) => {
    const usual = chance.pick(good[`${endpoint}.${name}`] ?? good[name] ?? ['x'])
    const value = chance.one(broken) ? hostileText(chance) : usual
    if (chance.one(broken)) return hostilePair(chance, name, value)
    // An empty value means that the parameter is absent in a valid request.
    return value === '' ? [] : `${name}=${encodeURIComponent(value.toWellFormed())}`
  })
  const strange = () => hostilePair(chance, hostileText(chance), hostileText(chance))
  return [...pairs, ...(chance.one(broken) ? chance.times(4, strange) : [])].join('&')
}

function fuzzHeaders(chance: Chance, good: Good): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of headerNames) {
    const known = chance.pick(good[name] ?? [''])
    const sent = chance.one(0.02) ? hostileHeader(chance) : known
    if (sent !== '') headers[name] = sent
  }
  return headers
}

const headerNames = [
  'authorization',
  'dpop',
  'x-fapi-interaction-id',
  'cookie',
  'content-type',
  'origin',
  'sec-fetch-site',
  'accept-language',
  'x-postern-client',
]

const fuzzBody = (chance: Chance, form: string) =>
  chance.one(0.97) ? form : Buffer.from(chance.times(200, () => chance.below(256)))
