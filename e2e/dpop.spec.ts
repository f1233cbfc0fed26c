import { createHash } from 'node:crypto'
import { shareAppServer } from './app-server.ts'
import { expect, test } from './postern.ts'
import { signIn } from './sign-in.ts'

const person = { username: 'dora', password: 'correct horse battery', name: 'Dora L.' }
const verifier = 'v'.repeat(43)

const appServer = shareAppServer()

test('lets a browser app use DPoP and its nonces across origins, with a key that cannot leave the browser', async ({
  page,
  postern,
}) => {
  const registered = { client_id: 'acme-dpop', name: 'Acme', kind: 'public', redirect_uris: [appServer.redirectUri] }
  const dpop = { dpop_bound_access_tokens: true, dpop_nonces: true, dpop_access_token_seconds: 3600 }
  const apps = [{ ...registered, ...dpop, scopes: ['openid', 'name'] }]
  await postern.apply({ teams: [{ id: 'acme', name: 'Acme', apps }], people: [person] })
  const query = {
    response_type: 'code',
    client_id: 'acme-dpop',
    redirect_uri: appServer.redirectUri,
    scope: 'openid name',
    state: 's',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  await page.goto(`${postern.issuer}/oauth2/authorize?${new URLSearchParams(query)}`)
  await signIn(page, person)
  await page.locator('#consent-allow').click()
  await page.waitForURL(`${appServer.redirectUri}**`)
  const form = {
    grant_type: 'authorization_code',
    client_id: 'acme-dpop',
    code: new URL(page.url()).searchParams.get('code') ?? '',
    redirect_uri: appServer.redirectUri,
    code_verifier: verifier,
  }
  expect(await page.evaluate(useTokens, { issuer: postern.issuer, form })).toEqual({
    first: { status: 400, error: 'use_dpop_nonce' },
    tokens: { status: 200, token_type: 'DPoP', expires_in: 3600 },
    bearer: { status: 401, challenge: expect.stringMatching(/^DPoP error="invalid_token"/) },
    userinfo: { status: 200, name: person.name },
  })
})

/** Runs in the page of the app. */
async function useTokens({ issuer, form }: { issuer: string; form: Record<string, string> }) {
  const { subtle } = crypto
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const { privateKey, publicKey } = await subtle.generateKey(ecdsa, false, ['sign', 'verify'])
  const { kty, crv, x, y } = await subtle.exportKey('jwk', publicKey)
  const encode = (bytes: Uint8Array) =>
    btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '')
  const utf8 = (text: string) => new TextEncoder().encode(text)
  const hash = async (text: string) => encode(new Uint8Array(await subtle.digest('SHA-256', utf8(text))))
  let nonce: string | null = null
  const send = async (method: string, url: string, { token, body }: { token?: string; body?: URLSearchParams }) => {
    const claims = { jti: crypto.randomUUID(), htm: method, htu: url, iat: Math.floor(Date.now() / 1000) }
    const more = { ...(nonce && { nonce }), ...(token && { ath: await hash(token) }) }
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
    const content = [header, { ...claims, ...more }].map((part) => encode(utf8(JSON.stringify(part)))).join('.')
    const signature = encode(new Uint8Array(await subtle.sign(ecdsa, privateKey, utf8(content))))
    const headers = { dpop: `${content}.${signature}`, ...(token && { authorization: `DPoP ${token}` }) }
    const answer = await fetch(url, { method, headers, ...(body && { body }) })
    nonce = answer.headers.get('dpop-nonce')
    return { status: answer.status, body: await answer.json() }
  }
  const [tokenUrl, userinfoUrl] = [`${issuer}/oauth2/token`, `${issuer}/userinfo`]
  const first = await send('POST', tokenUrl, { body: new URLSearchParams(form) })
  const tokens = await send('POST', tokenUrl, { body: new URLSearchParams(form) })
  const { access_token: token, token_type, expires_in } = tokens.body
  const bearer = await fetch(userinfoUrl, { headers: { authorization: `Bearer ${token}` } })
  const userinfo = await send('GET', userinfoUrl, { token })
  return {
    first: { status: first.status, error: first.body.error },
    tokens: { status: tokens.status, token_type, expires_in },
    bearer: { status: bearer.status, challenge: bearer.headers.get('www-authenticate') },
    userinfo: { status: userinfo.status, name: userinfo.body.name },
  }
}
