import { randomBytes } from 'node:crypto'
import { registrationPrefix } from '#lib/console/tokens/registration-token'
import { sha256 } from '#lib/crypto/hash'
import { makePrefixedToken } from '#lib/crypto/prefixed-token'
import { expect, type Provider, people, test } from './provider.ts'

const redirect = 'https://robot.example/callback'
const metadata = { client_name: 'Robot', redirect_uris: [redirect], token_endpoint_auth_method: 'client_secret_basic' }

/** Stores an initial access token of a developer, for one app. */
async function initialToken(provider: Provider): Promise<string> {
  await provider.apply({ teams: [{ id: 'robots', name: 'Robots', apps: [] }] })
  const { prisma } = provider.database
  const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: people.ada.username } })
  const [teamId, createdAt] = ['robots', new Date()]
  const member = { teamId, personId, role: 'developer', createdAt }
  await prisma.member.upsert({ where: { teamId_personId: { teamId, personId } }, create: member, update: {} })
  const token = makePrefixedToken(registrationPrefix, randomBytes)
  const limits = { profile: 'oidc', remaining: 1, createdAt, expiresAt: new Date(createdAt.getTime() + 60_000) }
  await prisma.registrationToken.create({
    data: { id: sha256(token).slice(0, 20), teamId, personId, hash: sha256(token), name: 'Robot', ...limits },
  })
  return token
}

/** Sends JSON with a bearer token. */
const call = async (provider: Provider, method: string, url: string, token: string, body?: object) => {
  const answer = await provider.send(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...answer, json: answer.text === '' ? {} : answer.json() }
}

/** Returns the error of the token endpoint for a wrong code: invalid_grant if the credentials are right. */
async function errorOf(provider: Provider, id: string, secret: string): Promise<string> {
  const form = {
    grant_type: 'authorization_code',
    code: 'wrong',
    redirect_uri: redirect,
    code_verifier: 'x'.repeat(43),
  }
  const basic = Buffer.from(`${id}:${secret}`).toString('base64')
  const answer = await provider.send(provider.discovery.token_endpoint, {
    form,
    headers: { authorization: `Basic ${basic}` },
  })
  return answer.json().error
}

test('registers, reads, replaces and deletes an app by RFC 7591 and RFC 7592', async ({ provider }) => {
  const register = String(provider.discovery.registration_endpoint)
  const initial = await initialToken(provider)

  // RFC 7591 §3.2.2: "invalid_redirect_uri The value of one or more redirection URIs is invalid." It spends no token.
  const refused = await call(provider, 'POST', register, initial, {
    ...metadata,
    redirect_uris: ['http://robot.example/'],
  })
  expect([refused.status, refused.json.error]).toEqual([400, 'invalid_redirect_uri'])

  // RFC 7591 §3.2.1: "The server responds with an HTTP 201 Created status code and a body of type application/json".
  const made = await call(provider, 'POST', register, initial, metadata)
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, expect.stringContaining('no-store')])
  const { client_id: id, client_secret: secret, registration_access_token: token } = made.json
  const own = made.json.registration_client_uri
  expect(own).toMatch(new RegExp(`^${provider.issuer}/`))
  expect(await errorOf(provider, id, secret)).toBe('invalid_grant')
  expect((await call(provider, 'POST', register, initial, metadata)).status).toBe(401)

  // RFC 7592 §2.1: a read returns the registered metadata; here without the secret.
  const read = await call(provider, 'GET', own, token)
  expect([read.status, read.json]).toMatchObject([200, { client_id: id, client_name: 'Robot' }])
  expect(read.json.client_secret).toBeUndefined()

  // RFC 7592 §2.2: a replacement contains the client_id, and no value that the server made.
  const replaced = await call(provider, 'PUT', own, token, { ...metadata, client_id: id, client_name: 'Robot Two' })
  expect([replaced.status, replaced.json.client_name]).toEqual([200, 'Robot Two'])
  expect(await errorOf(provider, id, secret)).toBe('invalid_grant')

  // RFC 7592 §2: an unknown client and a wrong token have one answer: 401.
  for (const [url, wrong] of [
    [own, `${token.slice(0, -1)}x`],
    [own, initial],
    [`${register}/unknown`, token],
  ]) {
    const answer = await call(provider, 'GET', url, wrong)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  }

  // RFC 7592 §2.3: "a successful delete action will invalidate the client_id, client_secret, and registration_access_token".
  expect((await call(provider, 'DELETE', own, token)).status).toBe(204)
  expect((await call(provider, 'GET', own, token)).status).toBe(401)
})
