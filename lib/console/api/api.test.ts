import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

const web = { name: 'API App', kind: 'confidential', redirect_uris: ['https://acme.example/cb'] }
const all = ['read', 'apps', 'credentials', 'members', 'team']

describe.each(kinds)('the API of a team on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { member } = openApps(postern)
  const { teamWith, roleOf } = openTeams(postern)
  const { makeToken, send } = openApi(postern)
  const ownerToken = async (scopes = all) => makeToken(await member('owner'), 'acme', scopes)
  const registered = async (token: string) => {
    const { json } = await send(token, 'POST', '/apps', { body: web })
    return json as unknown as { client_id: string; etag: string; client_secret: string }
  }

  it('registers an app whose secret works, and the console shows the same app', async () => {
    const token = await ownerToken()
    const answer = await send(token, 'POST', '/apps', { body: web })
    expect([answer.status, answer.json]).toEqual([
      201,
      expect.objectContaining({ name: 'API App', redirect_uris: web.redirect_uris, scopes: ['openid'] }),
    ])
    const { client_id: id, client_secret: secret, etag } = answer.json as Record<string, string>
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(answer.headers.get('etag')).toBe(etag)
    const shown = await postern.context.teamApps.find(id ?? '')
    expect(shown).toMatchObject({ teamId: 'acme', name: 'API App' })
    expect((await send(token, 'GET', `/apps/${id}`)).text).not.toContain(secret)
    const [act] = await postern.context.acts.list('acme', undefined, 1)
    expect(act).toMatchObject({ kind: 'app_registered', actor: 'ada', token: 'CI', target: id })
  })

  it('names every wrong field with the sentence of the console', async () => {
    const body = { ...web, redirect_uris: ['https://a.example/', 'https://a.example/#x'], profile: 'none', extra: 1 }
    const answer = await send(await ownerToken(), 'POST', '/apps', { body })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([422, 'application/problem+json'])
    expect(answer.json.errors).toEqual([
      { pointer: '/profile', detail: 'must be standard, oidc or fapi2' },
      { pointer: '/extra', detail: 'is not known' },
    ])
    const uris = await send(await ownerToken(), 'POST', '/apps', {
      body: { ...body, profile: 'oidc', extra: undefined },
    })
    expect(uris.json).toMatchObject({
      status: 422,
      code: 'invalid',
      errors: [{ pointer: '/redirect_uris/1', detail: 'must not have a fragment (#…)' }],
    })
  })

  it('tells the later of two editors what changed, and loses nothing', async () => {
    const token = await ownerToken()
    const { client_id: id, etag } = await registered(token)
    postern.later(1)
    const first = await send(token, 'PATCH', `/apps/${id}`, { body: { name: 'First' }, headers: { 'if-match': etag } })
    expect(first.status).toBe(200)
    const second = await send(token, 'PATCH', `/apps/${id}`, {
      body: { homepage: 'https://second.example/' },
      headers: { 'if-match': etag },
    })
    expect(second).toMatchObject({
      status: 412,
      json: {
        code: 'app_stale',
        changes: [{ kind: 'app_changed', actor: 'ada', before: { name: 'API App' }, after: { name: 'First' } }],
        current: { name: 'First', homepage: '' },
      },
    })
    const again = { body: { homepage: 'https://second.example/' }, headers: { 'if-match': String(first.json.etag) } }
    expect((await send(token, 'PATCH', `/apps/${id}`, again)).json).toMatchObject({
      name: 'First',
      homepage: 'https://second.example/',
    })
    expect((await send(token, 'PATCH', `/apps/${id}`, { body: { name: 'X' } })).status).toBe(428)
    const any = await send(token, 'PATCH', `/apps/${id}`, { body: { name: 'X' }, headers: { 'if-match': '*' } })
    expect(any.status).toBe(200)
  })

  it('lets one of eight concurrent editors win', async () => {
    const token = await ownerToken()
    const { client_id: id, etag } = await registered(token)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send(token, 'PATCH', `/apps/${id}`, { body: { name: `Name ${n}` }, headers: { 'if-match': etag } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
  })

  it('never permits more than the scopes of the token and the present role of its maker', async () => {
    const { owner, member: guest, id } = await teamWith('developer')
    const token = await makeToken(guest, id, all)
    const reader = await makeToken(guest, id, ['read'])
    expect((await send(reader, 'GET', '/apps')).status).toBe(200)
    const refused = await send(reader, 'POST', '/apps', { body: web })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="apps"',
    ])
    expect((await send(token, 'PATCH', '/team', { body: { name: 'Mine now' } })).json.code).toBe('not_allowed')
    expect((await send(token, 'POST', '/apps', { body: web })).status).toBe(201)
    const ownerKey = await makeToken(owner, id, all)
    expect((await send(ownerKey, 'PATCH', `/members/${guest.username}`, { body: { role: 'viewer' } })).status).toBe(204)
    expect((await send(token, 'POST', '/apps', { body: web })).status).toBe(403)
    expect((await send(ownerKey, 'DELETE', `/members/${guest.username}`)).status).toBe(204)
    expect((await send(token, 'GET', '/team')).status).toBe(401)
    expect(await roleOf(id, guest)).toBeUndefined()
    expect(
      (await send(ownerKey, 'PATCH', `/members/${owner.username}`, { body: { role: 'viewer' } })).json,
    ).toMatchObject({
      status: 409,
      code: 'last_owner',
    })
  })

  it('keeps a token dead when its maker returns to the team', async () => {
    const { owner, member: guest, id } = await teamWith('developer')
    const token = await makeToken(guest, id, ['read'])
    const ownerKey = await makeToken(owner, id, all)
    await send(ownerKey, 'DELETE', `/members/${guest.username}`)
    await postern.context.database.prisma.member.create({
      data: { teamId: id, personId: guest.personId, role: 'owner', createdAt: postern.context.now() },
    })
    expect((await send(token, 'GET', '/team')).status).toBe(401)
  })

  it('stores only a hash, notes the last use to the hour, and ends with revocation and expiry', async () => {
    const { owner, id } = await teamWith('viewer')
    const [token, other] = [
      await makeToken(owner, id, all),
      await makeToken(owner, id, all, { days: '7', name: 'Week' }),
    ]
    const rows = await postern.context.database.prisma.teamToken.findMany({ where: { teamId: id } })
    expect(JSON.stringify(rows)).not.toContain(token.slice(13))
    await send(token, 'GET', '/team')
    const { items } = (await send(token, 'GET', '/tokens')).json as unknown as { items: Record<string, string>[] }
    const used = items.find(({ name }) => name === 'CI')
    expect(used?.last_used_at).toMatch(/:00:00\.000Z$/)
    expect((await send(token, 'DELETE', `/tokens/${used?.id}`)).status).toBe(204)
    expect((await send(token, 'GET', '/team')).status).toBe(401)
    expect((await send(other, 'GET', '/team')).status).toBe(200)
    postern.later(7 * 86_400)
    expect((await send(other, 'GET', '/team')).status).toBe(401)
  })

  it('answers 404 for the apps, members, invitations and tokens of another team', async () => {
    const [one, other] = [await teamWith('viewer'), await teamWith('viewer')]
    const [mine, theirs] = [await makeToken(one.owner, one.id, all), await makeToken(other.owner, other.id, all)]
    const { client_id: app } = await registered(theirs)
    const secret = (await send(theirs, 'POST', `/apps/${app}/secrets`)).json as Record<string, string>
    const { id: invitation } = (await send(theirs, 'POST', '/invitations', { body: { role: 'viewer' } })).json
    const { items } = (await send(theirs, 'GET', '/tokens')).json as unknown as { items: { id: string }[] }
    const attempts: [string, string, object?][] = [
      ['GET', `/apps/${app}`],
      ['PATCH', `/apps/${app}`, { name: 'Stolen' }],
      ['DELETE', `/apps/${app}`],
      ['POST', `/apps/${app}/disable`],
      ['POST', `/apps/${app}/secrets`],
      ['DELETE', `/apps/${app}/secrets/${secret.id}`],
      ['POST', `/apps/${app}/keys`, { jwks: { keys: [] } }],
      ['PUT', `/apps/${app}/jwks_uri`, { jwks_uri: '' }],
      ['PATCH', `/members/${other.member.username}`, { role: 'owner' }],
      ['DELETE', `/members/${other.member.username}`],
      ['DELETE', `/invitations/${invitation}`],
      ['DELETE', `/tokens/${items[0]?.id}`],
    ]
    for (const [method, path, body] of attempts) {
      const answer = await send(mine, method, path, { ...(body && { body }), headers: { 'if-match': '*' } })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    expect((await send(theirs, 'GET', `/apps/${app}`)).json).toMatchObject({ name: 'API App', disabled_at: null })
  })

  it('adds and removes keys, and refuses a private one', async () => {
    const token = await ownerToken()
    const { publicKey, privateKey } = (await import('node:crypto')).generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }
    const body = { ...web, kind: 'assertion', jwks: { keys: [jwk] } }
    const { client_id: id } = (await send(token, 'POST', '/apps', { body })).json as Record<string, string>
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
    expect((await send(token, 'POST', `/apps/${id}/keys`, { body: { pem } })).json.keys).toHaveLength(2)
    expect((await send(token, 'DELETE', `/apps/${id}/keys/one`)).status).toBe(204)
    const rest = ((await send(token, 'GET', `/apps/${id}`)).json as unknown as { keys: { kid: string }[] }).keys
    expect((await send(token, 'DELETE', `/apps/${id}/keys/${rest[0]?.kid}`)).json.code).toBe('key_last')
    const secretKey = { jwks: { keys: [privateKey.export({ format: 'jwk' })] } }
    const refused = await send(token, 'POST', `/apps/${id}/keys`, { body: secretKey })
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      [{ pointer: '/jwks', detail: expect.stringContaining('private key') }],
    ])
  })
})
