import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { sharePostern } from '#lib/testing/process/share-postern'

describe('a request to the API', () => {
  const postern = sharePostern({ env: { TEAMS: 'open' } })
  const { member } = openApps(postern)
  const { makeToken, send } = openApi(postern)
  const ownerToken = async (scopes = ['read', 'apps', 'team']) => makeToken(await member('owner'), 'acme', scopes)

  it('limits the requests of a token and of an address, and counts before the look-up', async () => {
    const token = await ownerToken(['read'])
    const many = await Promise.all(Array.from({ length: 301 }, () => send(token, 'GET', '/team')))
    const over = many.filter(({ status }) => status === 429)
    expect(over.length).toBeGreaterThanOrEqual(1)
    expect(Number(over[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    postern.later(120)
    const from = { headers: { 'x-postern-client': '198.51.100.7' } }
    const guesses = await Promise.all(Array.from({ length: 620 }, () => send('postern_team_x', 'GET', '/team', from)))
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(19)
    postern.later(120)
  })

  it('ignores cookies, other schemes, and tokens in the query', async () => {
    const account = await member('owner')
    const token = await ownerToken()
    for (const headers of [
      { cookie: account.cookie },
      { authorization: `Basic ${token}` },
      { authorization: `Bearer ${token} ${token}` },
      { authorization: `Bearer ${token.slice(0, -1)}x` },
    ])
      expect((await send('', 'GET', '/team', { headers })).status).toBe(401)
    expect((await send('', 'GET', `/team?access_token=${token}`)).status).toBe(401)
    const good = await send(token, 'GET', '/team', { headers: { cookie: 'x=1' } })
    expect([good.status, good.headers.get('set-cookie')]).toEqual([200, null])
  })

  it.each([
    ['an unknown path', 'GET', '/nothing', {}, 404],
    ['a method that the path lacks', 'PUT', '/team', { body: {} }, 405],
    ['text that is no JSON', 'POST', '/apps', { text: '{' }, 400],
    ['a body that is no object', 'POST', '/apps', { body: [] }, 422],
    ['a form', 'POST', '/apps', { text: 'a=b', headers: { 'content-type': 'text/plain' } }, 415],
    ['an unknown parameter', 'GET', '/apps?x=1', {}, 400],
    ['a repeated parameter', 'GET', '/apps?limit=1&limit=2', {}, 400],
    ['a limit of 0', 'GET', '/apps?limit=0', {}, 400],
  ])('answers %s with a problem document', async (_, method, path, sent, status) => {
    const answer = await send(await ownerToken(), method, path, sent)
    expect([answer.status, answer.json.status]).toEqual([status, status])
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

  it('lists in pages, and serves HEAD as GET', async () => {
    const token = await ownerToken()
    const names: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const { json } = await send(token, 'GET', `/apps?limit=2${next && `&after=${next}`}`)
      const page = json as unknown as { items: { client_id: string }[]; next: string | null }
      names.push(...page.items.map(({ client_id: id }) => id))
      next = page.next
    }
    expect(names).toEqual([...new Set(names)].toSorted())
    expect(names).toContain('acme-web')
    expect((await send(token, 'HEAD', '/team')).status).toBe(200)
  })
})
