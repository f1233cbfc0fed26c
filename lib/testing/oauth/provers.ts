import { afterAll, beforeAll, expect } from 'vitest'
import * as discoveryRoute from '#app/.well-known/openid-configuration/route.ts'
import * as introspectRoute from '#app/oauth2/introspect/route.ts'
import * as parRoute from '#app/oauth2/par/route.ts'
import * as tokenRoute from '#app/oauth2/token/route.ts'
import * as userinfoRoute from '#app/userinfo/route.ts'
import { type Approval, acme, basicAuth, callback, openPostern, secret, verifier } from '#lib/testing/process/postern'
import { makeAssertionKey } from './assertions.ts'
import { makeProofPair, type ProofChange, signProof } from './proofs.ts'
import { type Sent, serve } from './serve.ts'

const app = { kind: 'confidential', client_secret: secret, redirect_uris: [callback], scopes: ['openid', 'name'] }
const { client_secret: _, ...keyed } = app

/** Apps that use DPoP in different ways. */
const appsWith = (jwk: object) => [
  { ...app, client_id: 'plain', name: 'Plain' },
  { ...app, client_id: 'bound', name: 'Bound', dpop_bound_access_tokens: true },
  { ...app, client_id: 'classic', name: 'Classic', profile: 'oidc' },
  { ...app, client_id: 'nonces', name: 'Nonces', dpop_bound_access_tokens: true, dpop_nonces: true },
  { ...keyed, client_id: 'page', name: 'Page', kind: 'public', dpop_access_token_seconds: 3600 },
  { ...keyed, client_id: 'robot', name: 'Robot', kind: 'assertion', jwks: { keys: [jwk] }, dpop_nonces: true },
]

export const issuer = 'http://localhost:3000'
export const [tokenUrl, userinfoUrl] = [`${issuer}/oauth2/token`, `${issuer}/userinfo`] as const

type Headers = NonNullable<Sent['headers']>

type Provers = Awaited<ReturnType<typeof serveProvers>>

/**
 * Serves a Postern over HTTP for the tests of a file, with shortcuts for requests that prove possession of one of two
 * keys. `beforeAll` fills the returned object.
 */
export function shareProvers(): Provers {
  const provers = {} as Provers
  beforeAll(async () => {
    Object.assign(provers, await serveProvers())
  })
  afterAll(() => provers.close())
  return provers
}

async function serveProvers() {
  const [robotKey, pair, other] = [await makeAssertionKey('k1'), await makeProofPair(), await makeProofPair()]
  const teams = [{ id: 'provers', name: 'Provers', apps: appsWith(robotKey.publicJwk) }]
  const postern = await openPostern({ provision: { ...acme, teams } })
  const server = await serve(postern.context, {
    '/.well-known/openid-configuration': discoveryRoute,
    '/oauth2/introspect': introspectRoute,
    '/oauth2/par': parRoute,
    '/oauth2/token': tokenRoute,
    '/userinfo': userinfoRoute,
  })
  const shortcuts = requestsOf(postern, server, pair)
  const close = async () => {
    server.close()
    await postern.close()
  }
  return { ...postern, ...shortcuts, send: server.send, robotKey, pair, other, close }
}

type Postern = Awaited<ReturnType<typeof openPostern>>
type Server = Awaited<ReturnType<typeof serve>>

function requestsOf(postern: Postern, server: Server, pair: Awaited<ReturnType<typeof makeProofPair>>) {
  const post = (path: string, form: Record<string, string>, headers: Headers) =>
    server.send(`${issuer}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    })
  const proof = (change: ProofChange = {}, of = pair) => signProof(of, tokenUrl, { at: postern.clock.now, ...change })
  /** Exchanges a code, with these DPoP headers. */
  const exchangeCode = (code: string, dpop: string | string[] | undefined, clientId = 'plain') => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    const headers = { ...(clientId !== 'page' && basicAuth(clientId, secret)), ...(dpop !== undefined && { dpop }) }
    return post('/oauth2/token', { ...form, ...(clientId === 'page' && { client_id: clientId }) }, headers)
  }
  const exchange = async (dpop: string | string[] | undefined, clientId = 'plain', approval: Approval = {}) =>
    exchangeCode(await postern.approve({ clientId, ...approval }), dpop, clientId)
  const refresh = (refresh_token: string, dpop: string | undefined, clientId = 'plain') =>
    post(
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token },
      {
        ...basicAuth(clientId, secret),
        ...(dpop !== undefined && { dpop }),
      },
    )
  const tokens = async (clientId = 'plain', approval: Approval = {}) => {
    const answer = await exchange(await proof(), clientId, approval)
    expect(answer.status).toBe(200)
    return answer.json()
  }
  /** Asks userinfo with a bound token and a proof, unless the headers say otherwise. */
  const askUserinfo = async (accessToken: string, change: ProofChange = {}, headers: Headers = {}, of = pair) => {
    const dpop = await signProof(of, userinfoUrl, { method: 'GET', accessToken, at: postern.clock.now, ...change })
    return server.send(userinfoUrl, { headers: { authorization: `DPoP ${accessToken}`, dpop, ...headers } })
  }
  return { post, proof, exchangeCode, exchange, refreshWith: refresh, tokens, askUserinfo }
}

type Answering = Promise<Response> | Response

/** Returns status and error code of a refusal by the token endpoint. */
export async function refusalOf(answering: Answering) {
  const answer = await answering
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return `${answer.status} ${(await answer.json()).error}`
}

/** Returns status and challenge of a refusal by userinfo. */
export async function challengeOf(answering: Answering) {
  const answer = await answering
  return `${answer.status} ${answer.headers.get('www-authenticate')}`
}

export const algs = 'algs="ES256 PS256 EdDSA Ed25519"'

/** Matches a refusal with the challenge of RFC 9449 §7.1. */
export const challenged = (code: string) => expect.stringMatching(new RegExp(`^401 DPoP error="${code}", .*${algs}$`))
