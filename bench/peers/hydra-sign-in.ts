import { createHash, randomBytes } from 'node:crypto'
import { ask, form, json, send } from './ask.ts'
import type { people } from './own-database.ts'

type Person = (typeof people)[number]
/** Hydra's public origin, its admin API, and the client that asks for the sign-in. */
export type HydraAccess = {
  origin: string
  admin: string
  client: { id: string; secret: string }
  redirectUri: string
  scope: string
}

/** Signs a person in as an app's request does, in place of the pages for login and consent. Returns the tokens. */
export async function signInAtHydra(access: HydraAccess, { username, email, name }: Person) {
  const { origin, client, redirectUri, scope } = access
  const verifier = randomBytes(32).toString('base64url')
  const browse = makeBrowser(origin)
  const accept = makeAccept(access.admin)
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const login = await browse(`${origin}/oauth2/auth?${query}`)
  const consent = await browse(await accept('login', login, { subject: username }))
  const granted = { grant_scope: scope.split(' '), session: { id_token: { name, email, email_verified: true } } }
  const answer = await browse(await accept('consent', consent, granted))
  const code = answer.searchParams.get('code')
  if (!code) throw new Error(`Hydra gave no code: ${answer.search}`)
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  return send(`${origin}/oauth2/token`, form(fields, { authorization }))
}

/** Returns a function that opens an address with the cookies of one browser and returns where it redirects. */
function makeBrowser(origin: string) {
  const cookies = new Map<string, string>()
  return async (address: string): Promise<URL> => {
    const { pathname, search } = new URL(address)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { status, headers } = await ask(origin + pathname + search, { method: 'GET', headers: { cookie } })
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    if (!headers.location) throw new Error(`${pathname} was answered with ${status}.`)
    return new URL(headers.location)
  }
}

/** Returns a function that accepts a login or a consent, and returns the address where the browser goes on. */
const makeAccept = (admin: string) => async (step: 'login' | 'consent', page: URL, body: object) => {
  const challenge = page.searchParams.get(`${step}_challenge`)
  if (!challenge) throw new Error(`Hydra asks for no ${step}: ${page.search}`)
  const url = `${admin}/oauth2/auth/requests/${step}/accept?${new URLSearchParams({ [`${step}_challenge`]: challenge })}`
  return String((await send(url, json('PUT', body))).redirect_to)
}
