import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

const web = { name: 'Attacked App', kind: 'confidential', redirect_uris: ['https://acme.example/cb'] }
const all = ['read', 'apps', 'credentials', 'members', 'team']

describe.each(kinds)('an attack on the API of a team on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { teamWith } = openTeams(postern)
  const { makeToken, send } = openApi(postern)
  const ownToken = async (scopes = all) => {
    const { owner, id } = await teamWith('viewer')
    return makeToken(owner, id, scopes)
  }
  const registered = async (token: string) => {
    const { json } = await send(token, 'POST', '/apps', { body: web })
    return json as unknown as { client_id: string }
  }
  const prisma = () => postern.context.database.prisma

  it('gets nothing with the token of a deleted team', async () => {
    const { owner, id } = await teamWith('viewer')
    const token = await makeToken(owner, id, all)
    await prisma().team.delete({ where: { id } })
    expect((await send(token, 'GET', '/team')).status).toBe(401)
  })

  it('gets nothing with a session and no token, whatever the page sends along', async () => {
    const { owner } = await teamWith('viewer')
    const headers = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin', origin: postern.context.config.accountUrl }
    const answer = await send('', 'POST', '/apps', { body: web, headers })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, null])
  })

  it('lets one of eight removals of an app begin its deletion once', async () => {
    const token = await ownToken()
    const { client_id: id } = await registered(token)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(token, 'DELETE', `/apps/${id}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
    expect(await prisma().teamAct.count({ where: { target: id, act: 'app_deleted' } })).toBe(1)
  })

  it('changes no field that belongs to the service or to another operation', async () => {
    const token = await ownToken(['read', 'apps'])
    const { client_id: id } = await registered(token)
    for (const field of [
      'client_id',
      'client_secret',
      'kind',
      'jwks',
      'jwks_uri',
      'logo',
      'team',
      'disabled_at',
      'etag',
    ]) {
      const body = { [field]: 'x' }
      const answer = await send(token, 'PATCH', `/apps/${id}`, { body, headers: { 'if-match': '*' } })
      expect([field, answer.json.errors]).toEqual([field, [{ pointer: `/${field}`, detail: 'is not known' }]])
    }
    const method = { token_endpoint_auth_method: 'client_secret_post' }
    const answer = await send(token, 'PATCH', `/apps/${id}`, { body: method, headers: { 'if-match': '*' } })
    expect(answer.json).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })

  it('raises no role above that of the maker of the token', async () => {
    const { owner, member, id } = await teamWith('developer')
    const token = await makeToken(member, id, all)
    const attempts = [
      send(token, 'PATCH', `/members/${member.username}`, { body: { role: 'owner' } }),
      send(token, 'DELETE', `/members/${owner.username}`),
      send(token, 'POST', '/invitations', { body: { role: 'owner' } }),
      send(token, 'POST', '/domains', { body: { domain: 'garden.example' } }),
    ]
    for (const { json } of await Promise.all(attempts)) expect(json).toMatchObject({ status: 403, code: 'not_allowed' })
    expect((await send(token, 'POST', '/tokens', { body: { name: 'more', scopes: all, days: 365 } })).status).toBe(405)
  })

  it('reads no field of a problem from the message of another language or person', async () => {
    const token = await ownToken()
    const answer = await send(token, 'GET', '/apps/app-unknown', { headers: { 'accept-language': 'ja' } })
    expect(answer.json).toEqual({
      title: 'Not Found',
      status: 404,
      detail: 'There is nothing at this address.',
      code: 'not_found',
    })
  })
})
