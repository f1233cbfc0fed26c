import { describe, expect, it } from 'vitest'
import { isUnavailable } from '#lib/db/engine/unavailable'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

const web = { name: 'Hostile', kind: 'confidential', redirect_uris: ['https://acme.example/cb'] }
const all = ['read', 'apps', 'credentials', 'members', 'team']

describe.each(kinds)('hostile requests to the API on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { member } = openApps(postern)
  const { teamWith } = openTeams(postern)
  const { makeToken, send } = openApi(postern)
  const ownerToken = async () => makeToken(await member('owner'), 'acme', all)
  const registered = async (token: string) =>
    (await send(token, 'POST', '/apps', { body: web })).json as Record<string, string>

  /** As deep as the greatest body of the front door can be. */
  const deep = `${'['.repeat(32_000)}${']'.repeat(32_000)}`

  it.each([
    ['a body of nothing', '', 400],
    ['deep lists', deep, 400],
    ['a deep value in a field', `{"name":${deep}}`, 400],
    ['a deep value in the keys', JSON.stringify({ ...web, kind: 'assertion' }).replace('}', `,"jwks":${deep}}`), 400],
    [
      'a deep object in the keys',
      `{"name":"A","kind":"assertion","jwks":${'{"keys":'.repeat(6000)}1${'}'.repeat(6000)},"redirect_uris":["https://a.example/"]}`,
      400,
    ],
    ['__proto__', '{"__proto__":{"name":"A"},"kind":"public","redirect_uris":["https://a.example/"]}', 422],
    ['constructor', '{"constructor":{"prototype":{"name":"A"}},"name":"A"}', 422],
    ['NUL in a text', JSON.stringify({ ...web, name: 'a\0b' }), 422],
    ['NUL in a list', JSON.stringify({ ...web, redirect_uris: ['https://a.example/\0'] }), 422],
    ['half of a surrogate pair', '{"name":"\\ud800","kind":"public","redirect_uris":["https://a.example/"]}', 422],
    ['2,000 redirect URIs', JSON.stringify({ ...web, redirect_uris: Array(2000).fill('https://a.example/cb') }), 422],
    ['a byte order mark', `\ufeff${JSON.stringify(web)}x`, 400],
    ['a comment', `/**/${JSON.stringify(web)}`, 400],
    ['a number that is no number', '{"name":NaN}', 400],
  ])('refuses %s', async (_, text, status) => {
    const answer = await send(await ownerToken(), 'POST', '/apps', { text })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(answer.text.length).toBeLessThan(20_000)
    expect(Object.prototype).not.toHaveProperty('name')
  })

  it('refuses deep keys for an app that exists', async () => {
    const token = await ownerToken()
    const { client_id: id } = await registered(token)
    expect((await send(token, 'POST', `/apps/${id}/keys`, { text: `{"jwks":${deep}}` })).status).toBe(400)
    const answer = await send(token, 'PATCH', `/apps/${id}`, { text: `{"name":${deep}}`, headers: { 'if-match': '*' } })
    expect(answer.status).toBe(400)
  })

  it('takes the last of two members with one name, as JSON.parse does, and checks that one', async () => {
    const token = await ownerToken()
    const text = JSON.stringify(web).replace('{', '{"name":"First","kind":"god",')
    expect((await send(token, 'POST', '/apps', { text })).json).toMatchObject({ name: 'Hostile', kind: 'confidential' })
    const wrong = JSON.stringify(web).replace(/}$/, ',"kind":"god"}')
    expect((await send(token, 'POST', '/apps', { text: wrong })).status).toBe(422)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/merge-patch+json',
    '',
  ])('refuses the content type %j', async (type) => {
    const sent = { text: JSON.stringify(web), headers: { 'content-type': type } }
    expect((await send(await ownerToken(), 'POST', '/apps', sent)).status).toBe(415)
  })

  it('compares If-Match strongly, with each of several tags, and takes * only alone', async () => {
    const token = await ownerToken()
    const { client_id: id, etag = '' } = await registered(token)
    const statusWith = async (tag: string) =>
      (await send(token, 'PATCH', `/apps/${id}`, { body: { name: 'Kept' }, headers: { 'if-match': tag } })).status
    for (const tag of ['', '"x"', etag.replaceAll('"', ''), `W/${etag}`, '"x", "y"', '"x", *', `${etag}x`, ',,', "'"])
      expect([tag, await statusWith(tag)]).toEqual([tag, 412])
    expect(await statusWith(`"x" ,\t${etag}, "y"`)).toBe(200)
    expect(await statusWith(etag)).toBe(412)
    expect(await statusWith(' * ')).toBe(200)
  })

  it('compares If-Match of an API (RFC 8707) in the same way', async () => {
    const token = await ownerToken()
    const identifier = `https://api-${postern.context.random(4).toString('hex')}.example/`
    const body = { name: 'Garden API', scopes: ['garden.read'] }
    const made = await send(token, 'POST', '/apis', { body: { identifier, ...body } })
    expect(made.status).toBe(201)
    const { etag = '' } = made.json as Record<string, string>
    const put = (tag: string) => {
      const sent = { body: { ...body, name: 'New name' }, headers: { 'if-match': tag } }
      return send(token, 'PUT', `/apis/${encodeURIComponent(identifier)}`, sent)
    }
    for (const tag of ['', '"x"', etag.replaceAll('"', ''), `W/${etag}`, '"x", *'])
      expect([tag, (await put(tag)).status]).toEqual([tag, 412])
    expect((await put(`"x", ${etag}`)).status).toBe(200)
    expect((await put(etag)).status).toBe(412)
  })

  it('accepts one of 200 concurrent registrations of a second secret', async () => {
    const token = await ownerToken()
    const { client_id: id = '' } = await registered(token)
    const statusOf = async () => (await send(token, 'POST', `/apps/${id}/secrets`)).status
    // On a busy machine, some wait too long for a transaction. The front door answers 503 then.
    const busy = (fault: unknown) => (isUnavailable(fault) ? 503 : Promise.reject(fault))
    const statuses = await Promise.all(Array.from({ length: 200 }, () => statusOf().catch(busy)))
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(new Set(statuses.filter((status) => status !== 503))).toEqual(new Set([201, 409]))
    expect((await postern.context.teamApps.find(id))?.secrets).toHaveLength(2)
    postern.later(120)
  })

  it('accepts one of eight concurrent deletions of a token, and ends it everywhere at once', async () => {
    const { owner, id } = await teamWith('viewer')
    const [token, other] = [await makeToken(owner, id, all), await makeToken(owner, id, ['read'], { name: 'Other' })]
    const { items } = (await send(token, 'GET', '/tokens')).json as unknown as { items: { id: string; name: string }[] }
    const gone = items.find(({ name }) => name === 'Other')?.id
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(token, 'DELETE', `/tokens/${gone}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)])
    expect((await send(other, 'GET', '/team')).status).toBe(401)
  })

  it('ends a token while the account of its maker is closed, and with a demotion during a request', async () => {
    const { member: guest, id } = await teamWith('developer')
    const token = await makeToken(guest, id, all)
    const { prisma } = postern.context.database
    const close = (disabledAt: Date | null) =>
      prisma.person.update({ where: { id: guest.personId }, data: { disabledAt } })
    await close(postern.context.now())
    expect((await send(token, 'GET', '/team')).status).toBe(401)
    await close(null)
    expect((await send(token, 'GET', '/team')).status).toBe(200)
    await prisma.person.update({ where: { id: guest.personId }, data: { deleteAfter: postern.context.now() } })
    expect((await send(token, 'GET', '/team')).status).toBe(401)
  })

  it.each([
    '/apps/%ff',
    '/apps/%00',
    '/apps/%',
    '/apps/%2e%2e',
    '/apps/..%2fteam',
    '//apps',
    '/apps//',
    '/apps/%ED%A0%80',
  ])('answers 404 for the path %s', async (path) => {
    expect((await send(await ownerToken(), 'GET', path)).status).toBe(404)
  })
})
