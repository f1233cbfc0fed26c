import { randomBytes } from 'node:crypto'
import { sha256 } from '#lib/crypto/hash'
import type { ProfileName } from '#lib/oauth/client/profile'
import { knownScopes } from '#lib/oauth/scope'
import {
  type AssertionKey,
  assertionClaims,
  assertionForm,
  makeAssertionKey,
  signJwt,
} from '#lib/testing/oauth/assertions'
import { makeProofPair, type ProofChange, type ProofPair, signProof } from '#lib/testing/oauth/proofs'
import type { Answer, Discovery, Sent } from './send.ts'

type Json = Record<string, unknown>
export type AppChanges = Json & { team?: string }
/** A key of the app, whose public part is registered. An app of kind `assertion` has an ES256 key by default. */
export type ClientOptions = { key?: AssertionKey }
/** Changes to a request; undefined omits a parameter, an array repeats it. */
export type Changes = Record<string, string | string[] | undefined>

/** The server of an app. */
type Server = { issuer: string; discovery: Discovery; send(url: string, sent: Sent): Promise<Answer> }

type Made = Awaited<ReturnType<typeof makeApp>>

/** Returns the declaration of an app that may use every scope, and the app's keys. */
export async function makeApp(id: string, profile: ProfileName, changes: Json, { key: given }: ClientOptions) {
  const kind = changes.kind ?? (profile === 'fapi2' ? 'assertion' : 'confidential')
  const key = given ?? (await makeAssertionKey('k1'))
  const redirectUri = `https://app.example/${id}/callback`
  const secret = randomBytes(24).toString('base64url')
  const app = {
    client_id: id,
    name: `App ${id}`,
    kind,
    profile,
    redirect_uris: [redirectUri],
    scopes: knownScopes,
    email: 'optional',
    ...(kind === 'confidential' && { client_secret: secret }),
    ...((kind === 'assertion' || given) && { jwks: { keys: [key.publicJwk] } }),
    ...changes,
  }
  const method = (app as Json).token_endpoint_auth_method ?? usualMethods[`${kind}`]
  const isBound = profile === 'fapi2' || (app as Json).dpop_bound_access_tokens === true
  return { app, key, secret, redirectUri, method, isBound, proofPair: await makeProofPair() }
}

const usualMethods: Record<string, string> = {
  confidential: 'client_secret_basic',
  assertion: 'private_key_jwt',
  public: 'none',
}

/** A registered app with its keys, and methods that send its requests. */
export class Client {
  readonly id: string
  readonly profile: ProfileName
  readonly secret: string
  readonly redirectUri: string
  /** The key of client assertions and request objects. */
  readonly key: AssertionKey
  /** The key of DPoP proofs. */
  readonly proofPair: ProofPair
  /** The PKCE verifier of every request of this app. */
  readonly verifier = randomBytes(32).toString('base64url')
  readonly #server: Server
  readonly #made: Made

  constructor(server: Server, made: Made) {
    this.#server = server
    this.#made = made
    this.id = made.app.client_id
    this.profile = made.app.profile
    this.secret = made.secret
    this.redirectUri = made.redirectUri
    this.key = made.key
    this.proofPair = made.proofPair
  }

  /** Returns the parameters of a valid authorization request with these changes. */
  request(changes: Changes = {}): Changes {
    return {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      scope: 'openid',
      state: 'the state',
      nonce: 'the nonce',
      code_challenge: sha256(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
  }

  /** Returns the address of an authorization request. With the profile `fapi2`, pushes the request first. */
  async authorizationUrl(changes: Changes = {}): Promise<URL> {
    const url = new URL(this.#server.discovery.authorization_endpoint)
    const asked = this.profile === 'fapi2' ? await this.#pushed(changes) : this.request(changes)
    for (const [name, value] of Object.entries(asked))
      for (const one of [value ?? []].flat()) url.searchParams.append(name, one)
    return url
  }

  async #pushed(changes: Changes): Promise<Changes> {
    const answer = await this.push(this.request(changes))
    if (answer.status !== 201) throw new Error(`The request was not accepted: ${answer.text}`)
    return { client_id: this.id, request_uri: answer.json().request_uri }
  }

  /** Returns the form fields and header fields that authenticate the app by its method. */
  async credentials(): Promise<{ form: Changes; headers: Changes }> {
    const { id, secret } = this
    const { method } = this.#made
    if (method === 'private_key_jwt') return { form: assertionForm(await this.assertion(), id), headers: {} }
    if (method === 'client_secret_post') return { form: { client_id: id, client_secret: secret }, headers: {} }
    if (method === 'none') return { form: { client_id: id }, headers: {} }
    // Neither the identifier nor the secret needs escaping (RFC 6749 §2.3.1).
    const basic = Buffer.from(`${id}:${secret}`).toString('base64')
    return { form: {}, headers: { authorization: `Basic ${basic}` } }
  }

  /** Signs a client assertion whose audience is the issuer. Undefined claims are omitted. */
  assertion(claims: Json = {}, header: Json = {}): Promise<string> {
    const usual = assertionClaims(this.id, this.#server.issuer, new Date())
    return signJwt({ ...usual, ...claims }, { ...this.#head(), ...header }, this.key.privateKey)
  }

  /** Signs a request object with the parameters of a valid request. Undefined claims are omitted. */
  requestObject(claims: Json = {}, header: Json = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, nbf: now, exp: now + 300 }
    const usual = { iss: this.id, aud: this.#server.issuer, ...times, ...this.request() }
    const head = { ...this.#head(), typ: 'oauth-authz-req+jwt', ...header }
    return signJwt({ ...usual, ...claims }, head, this.key.privateKey)
  }

  #head() {
    return { alg: this.key.publicJwk.alg ?? algs[`${this.key.publicJwk.kty}`], kid: this.key.kid }
  }

  /** Signs a DPoP proof, for the token endpoint by default. */
  proof(change: ProofChange = {}, htu = this.#server.discovery.token_endpoint): Promise<string> {
    return signProof(this.proofPair, htu, change)
  }

  /** Sends a form to an endpoint with the app's credentials. Fields and header fields given here replace them. */
  async post(url: string, form: Changes, headers: Changes = {}): Promise<Answer> {
    const own = await this.credentials()
    return this.#server.send(url, {
      method: 'POST',
      form: { ...own.form, ...form },
      headers: { ...own.headers, ...headers },
    })
  }

  /** Sends a token request. An app with bound access tokens adds a DPoP proof. */
  async token(form: Changes, headers: Changes = {}): Promise<Answer> {
    const dpop = this.#made.isBound ? await this.proof() : undefined
    return this.post(this.#server.discovery.token_endpoint, form, { dpop, ...headers })
  }

  /** Exchanges the code of an authorization answer. */
  exchange({ code }: { code?: string }, changes: Changes = {}, headers: Changes = {}): Promise<Answer> {
    const { redirectUri, verifier } = this
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    return this.token({ ...form, ...changes }, headers)
  }

  refresh(token: string, changes: Changes = {}, headers: Changes = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...changes }, headers)
  }

  push(form: Changes, headers: Changes = {}): Promise<Answer> {
    return this.post(this.#server.discovery.pushed_authorization_request_endpoint, form, headers)
  }

  introspect(token: string, changes: Changes = {}): Promise<Answer> {
    return this.post(this.#server.discovery.introspection_endpoint, { token, ...changes })
  }

  revoke(token: string, changes: Changes = {}): Promise<Answer> {
    return this.post(this.#server.discovery.revocation_endpoint, { token, ...changes })
  }

  /** Asks userinfo by GET, with a DPoP proof when the app's tokens are bound. */
  async userinfo(accessToken: string, headers: Changes = {}): Promise<Answer> {
    const url = this.#server.discovery.userinfo_endpoint
    const dpop = this.#made.isBound ? await this.proof({ method: 'GET', accessToken }, url) : undefined
    const authorization = `${dpop ? 'DPoP' : 'Bearer'} ${accessToken}`
    return this.#server.send(url, { headers: { authorization, dpop, ...headers } })
  }
}

const algs: Record<string, string> = { EC: 'ES256', RSA: 'PS256', OKP: 'EdDSA' }
