import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import type { Postern } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'
import { examples } from './examples.ts'
import { operations } from './operations.ts'

// A short part runs with the other tests. All 20,000 requests, on each database:
//   PROPERTY_RUNS=20000 npm run verify -- lib/console/api/fuzz

/** Stands in every value of the other team: in its name, its apps, its invitations and its tokens. */
const mark = 'zqxmarked'
const all = ['read', 'apps', 'credentials', 'members', 'team']
const web = (name: string) => ({ name, kind: 'confidential', redirect_uris: [`https://${name}.example/cb`] })

/** Makes two teams, of which the second one has marked values, and returns ids that requests can name. */
async function prepare(postern: Postern) {
  const { teamWith } = openTeams(postern)
  const { makeToken, send } = openApi(postern)
  const [own, other] = [await teamWith('viewer'), await teamWith('viewer')]
  const [token, theirs] = [await makeToken(own.owner, own.id, all), await makeToken(other.owner, other.id, all)]
  await send(theirs, 'PATCH', '/team', { body: { name: `Team ${mark}` } })
  const app = async (key: string, name: string) =>
    (await send(key, 'POST', '/apps', { body: web(name) })).json as Record<string, string>
  const [mine, marked] = [await app(token, 'own'), await app(theirs, mark)]
  const address = `${mark}@example.org`
  const invited = (await send(theirs, 'POST', '/invitations', { body: { role: 'viewer', address } })).json
  const { items } = (await send(theirs, 'GET', '/tokens')).json as unknown as { items: { id: string }[] }
  const foreign = [marked.client_id, invited.id, items[0]?.id, other.owner.username, other.member.username, other.id]
  const secrets = [marked.client_secret ?? mark, theirs, other.owner.username, other.member.username]
  return {
    token,
    own: [mine.client_id ?? '', own.member.username, 'https://api.garden.example/', 'garden.example', 'garden-1'],
    foreign: foreign.map(String),
    secrets,
    marked,
    theirs,
  }
}

/** Requests to every operation, with ids of both teams, hostile text, and values of the right and of any shape. */
function requests(own: string[], foreign: string[]) {
  const hostile = fc.constantFrom(
    '',
    '..',
    '%2e%2e',
    '__proto__',
    'constructor',
    "' OR 1=1 --",
    '\0',
    'é'.repeat(200),
    '{}',
  )
  const id = fc.oneof(fc.constantFrom(...own), fc.constantFrom(...foreign), hostile, fc.string({ maxLength: 40 }))
  const url = fc.oneof(fc.webUrl(), fc.constantFrom('https://a.example/cb', 'ftp://x', 'https://a.example/#x', ''))
  const value = fc.oneof(
    id,
    url,
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.array(url, { maxLength: 3 }),
    fc.jsonValue(),
  )
  const names = [...new Set(operations.flatMap(({ body }) => Object.keys(body?.shape ?? {})))]
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...names, 'unknown', '__proto__'), value, { maxKeys: 6 }),
    fc.constantFrom(...Object.values(examples)),
    fc
      .tuple(fc.constantFrom(...Object.values(examples)), fc.constantFrom(...names), value)
      .map(([example, name, other]) => ({ ...example, [name]: other })),
    fc.constantFrom(web('fuzz'), { ...web('fuzz'), scopes: ['openid', 'name'] }, { role: 'viewer' }, { name: 'Fuzz' }),
    fc.jsonValue(),
  )
  const query = fc.oneof(
    fc.constant(''),
    id.map((after) => `?after=${encodeURIComponent(after.toWellFormed())}`),
    fc.constantFrom('?limit=0', '?limit=1', '?limit=1&limit=2', '?after=%zz', '?x=1', '?limit=1e9', '?after=%ff'),
  )
  const version = fc.constantFrom(undefined, '*', '"x"', '"2026-01-01T00:00:00.000Z"', 'W/"1", "2"', ',')
  return fc.record({
    operation: fc.constantFrom(...operations),
    ids: fc.array(id, { minLength: 3, maxLength: 3 }),
    body,
    query,
    version,
  })
}

describe.each(kinds)('random requests to the API on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { send } = openApi(postern)

  it('answers no request with a fault, and shows and changes nothing of another team', {
    timeout: 900_000,
  }, async () => {
    const { token, own, foreign, secrets, marked, theirs } = await prepare(postern)
    const before = await send(theirs, 'GET', `/apps/${marked.client_id}`)
    const seen = new Map<number, number>()
    const property = fc.asyncProperty(requests(own, foreign), async ({ operation, ids, body, query, version }) => {
      // A request that ends the access of the token would end the test.
      if (operation.id === 'revokeToken') return
      let at = 0
      const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent((ids[at++] ?? '').toWellFormed()))
      const sent = { ...(operation.body && { body }), headers: version === undefined ? {} : { 'if-match': version } }
      // Each request has a minute of its own, so that the limits do not end the test.
      postern.later(2)
      const answer = await send(token, operation.method, path + (operation.method === 'GET' ? query : ''), sent)
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      expect(answer.status).toBeLessThan(500)
      // The path, but no stored value, may hold the ids that the request itself names.
      expect(answer.text).not.toContain(mark)
      for (const secret of secrets) expect(ids.includes(secret) ? '' : answer.text).not.toContain(secret)
    })
    await fc.assert(property, { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) })
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 404, 422]))
    const after = await send(theirs, 'GET', `/apps/${marked.client_id}`)
    expect(after.status === 401 ? before.text : after.text).toBe(before.text)
    const row = await postern.context.teamApps.find(marked.client_id ?? '')
    expect(row).toMatchObject({ name: mark, disabledAt: null, removeAfter: null })
  })
})
