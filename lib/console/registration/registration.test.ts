import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { openApps } from '#lib/testing/console/apps'
import { openRegistration } from '#lib/testing/console/registration'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

const web = {
  redirect_uris: ['https://robot.example/cb'],
  client_name: 'Robot App',
  scope: 'openid name email unknown',
}

/** As deep as the greatest body of the front door can be. */
const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
const assertion = '"token_endpoint_auth_method":"private_key_jwt"'
const deepKeys = `{"redirect_uris":["https://a.example/"],${assertion},"jwks":${deep}}`
const deepNames = `{"redirect_uris":["https://a.example/"],"client_name":${deep}}`

describe.each(kinds)('dynamic registration on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { member } = openApps(postern)
  const { makeInitial, register, send, handle } = openRegistration(postern)
  const { teamWith } = openTeams(postern)
  const initial = async (fields = {}) => makeInitial(await member('owner'), 'acme', fields)
  const registered = async (changes = {}, fields = {}) => {
    const { body } = await register(await initial(fields), { ...web, ...changes })
    return body as Record<string, string>
  }

  it('registers an app of the team, and answers with all its metadata (RFC 7591 §3.2.1)', async () => {
    const answer = await register(await initial(), { ...web, unknown_field: 1, logo_uri: 'https://x.example/l.png' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(answer.body).toEqual({
      client_id: expect.stringMatching(/^app-/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Robot App',
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: web.redirect_uris,
      registration_access_token: expect.stringMatching(/^postern_client_/),
      registration_client_uri: expect.stringContaining('/register/app-'),
      response_types: ['code'],
      scope: 'openid name email',
      subject_type: 'pairwise',
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const { client_id: id = '', client_secret: secret = '' } = answer.body as Record<string, string>
    expect((await postern.context.oauth.store.findClient(id))?.secrets).toMatchObject([{ hash: sha256(secret) }])
    const [act] = await postern.context.acts.list('acme', undefined, 1)
    expect(act).toMatchObject({ kind: 'app_registered', actor: 'ada', token: 'Robot', target: id })
  })

  it.each([
    [{ redirect_uris: ['https://robot.example/#x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://robot.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://robot.example/' }, 'invalid_redirect_uri'],
    [{ token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
    [{ token_endpoint_auth_method: '__proto__' }, 'invalid_client_metadata'],
    [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ grant_types: ['refresh_token'] }, 'invalid_client_metadata'],
    [{ grant_types: 'authorization_code' }, 'invalid_client_metadata'],
    [{ response_types: ['token'] }, 'invalid_client_metadata'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ jwks: { keys: [] }, jwks_uri: 'https://robot.example/jwks' }, 'invalid_client_metadata'],
    [{ jwks_uri: 'ftp://robot.example/jwks' }, 'invalid_client_metadata'],
    [{ client_name: 'x'.repeat(81) }, 'invalid_client_metadata'],
    [{ client_name: 7 }, 'invalid_client_metadata'],
    [{ scope: ['openid'] }, 'invalid_client_metadata'],
    [{ software_statement: 'a.b.c' }, 'unapproved_software_statement'],
  ])('refuses %j with %s (RFC 7591 §3.2.2)', async (changes, error) => {
    const { status, body } = await register(await initial(), { ...web, ...changes })
    expect([status, body.error]).toEqual([400, error])
    expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  it.each(['{', '[]', '"text"', '7', 'null', '{"redirect_uris":[["https://a.example/"]]}', deepKeys, deepNames])(
    'refuses the body %.60s',
    async (body) => {
      expect((await register(await initial(), body)).status).toBe(400)
    },
  )

  it('lets one of eight win on a token for one app', async () => {
    const token = await initial({ count: '1' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(token, web)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(401)])
    expect(await postern.context.database.prisma.registrationToken.count({ where: { remaining: { lt: 0 } } })).toBe(0)
  })

  it('does not count a registration that is refused', async () => {
    const token = await initial({ count: '1' })
    expect((await register(token, { ...web, redirect_uris: [] })).status).toBe(400)
    expect((await register(token, web)).status).toBe(201)
    expect((await register(token, web)).status).toBe(401)
  })

  it('refuses a wrong, expired or revoked token, and one whose maker lost the role, with a challenge', async () => {
    const { owner, member: guest, id } = await teamWith('developer')
    const [good, ofGuest] = [await makeInitial(owner, id), await makeInitial(guest, id)]
    for (const token of ['', 'x', `${good}x`, good.slice(0, -1), good.replace('register', 'team')]) {
      const answer = await register(token, web)
      expect([answer.status, answer.body.error, answer.headers.get('www-authenticate')]).toEqual([
        401,
        'invalid_token',
        'Bearer error="invalid_token"',
      ])
    }
    await postern.context.database.prisma.member.updateMany({
      where: { teamId: id, personId: guest.personId },
      data: { role: 'viewer' },
    })
    expect((await register(ofGuest, web)).status).toBe(401)
    postern.later(8 * 86_400)
    expect((await register(good, web)).status).toBe(401)
  })

  it('reads without a secret (RFC 7592 §2.1)', async () => {
    const made = await registered()
    const answer = await send('GET', `/register/${made.client_id}`, made.registration_access_token ?? '')
    const { client_secret: _, client_secret_expires_at: __, ...rest } = made
    expect([answer.status, answer.body]).toEqual([200, rest])
  })

  it('replaces every field, and resets those that the request omits (RFC 7592 §2.2)', async () => {
    const made = await registered({
      client_uri: 'https://robot.example/',
      post_logout_redirect_uris: ['https://robot.example/bye'],
    })
    const [path, token] = [`/register/${made.client_id}`, made.registration_access_token ?? '']
    const body = { client_id: made.client_id, redirect_uris: ['https://robot.example/new'], client_name: 'New' }
    const answer = await send('PUT', path, token, body)
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ client_name: 'New', scope: 'openid' }),
    ])
    expect(answer.body).not.toHaveProperty('client_uri')
    expect(answer.body).not.toHaveProperty('post_logout_redirect_uris')
    expect(answer.body).not.toHaveProperty('client_secret')
    for (const wrong of [
      { ...body, client_id: 'acme-web' },
      { ...body, client_id: undefined },
      { ...body, registration_access_token: token },
      { ...body, token_endpoint_auth_method: 'none' },
      { ...body, redirect_uris: ['ftp://x'] },
    ])
      expect((await send('PUT', path, token, wrong)).status).toBe(400)
    expect((await send('GET', path, token)).body).toMatchObject({ client_name: 'New' })
  })

  it('closes the app on DELETE, after which the token is refused (RFC 7592 §2.3)', async () => {
    const made = await registered()
    const [path, token] = [`/register/${made.client_id}`, made.registration_access_token ?? '']
    expect((await send('DELETE', path, token)).status).toBe(204)
    expect((await send('GET', path, token)).status).toBe(401)
    expect(await postern.context.teamApps.find(made.client_id ?? '')).toMatchObject({ disabledBy: 'deletion' })
  })

  it('opens no other app with a registration access token', async () => {
    const [one, other] = [await registered(), await registered()]
    const token = one.registration_access_token ?? ''
    for (const id of [other.client_id, 'acme-web', 'nothing', '%2e%2e', '%ff', '%00', ''])
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await send(method, `/register/${id}`, token, method === 'PUT' ? {} : undefined)).status).toBe(401)
    expect((await send('GET', `/register/${one.client_id}`, await initial())).status).toBe(401)
  })

  it('serves an unchanged openid-client', async () => {
    const { issuer } = postern.context.config
    const token = await initial()
    const { discovery } = await import('#lib/oauth/discovery/discovery')
    const reply: client.CustomFetch = async (url, { method, headers, body }) =>
      url.includes('/.well-known/')
        ? discovery(postern.context.discovery)
        : handle(new Request(url, { method, headers, body: body as string }))
    const config = await client.dynamicClientRegistration(new URL(issuer), web, undefined, {
      initialAccessToken: token,
      [client.customFetch]: reply,
      execute: [client.allowInsecureRequests],
    })
    expect(config.clientMetadata()).toMatchObject({ client_name: 'Robot App', client_secret: expect.any(String) })
  })
})

describe('dynamic registration with TEAMS=off', () => {
  const postern = sharePostern({ env: { TEAMS: 'off' } })
  const { register } = openRegistration(postern)

  it('is refused, and not in the discovery document', async () => {
    const { discovery } = await import('#lib/oauth/discovery/discovery')
    expect((await register('x', web)).status).toBe(403)
    expect(await discovery(postern.context.discovery).json()).not.toHaveProperty('registration_endpoint')
  })
})
