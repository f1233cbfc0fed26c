import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerApiChange, answerApiDeletion, answerApiRegistration } from './api-forms.ts'

describe.each(kinds)('the APIs of a team on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { member } = openTransfers(postern)
  const { makeToken, send } = openApi(postern)
  type Account = Awaited<ReturnType<typeof member>>
  const orders = { name: 'Orders', scopes: 'orders.read\r\n orders.write ', signing_alg: 'ES256' }

  const post = async (account: Account, handler: Parameters<Account['fill']>[0], fields: Record<string, string>) => {
    const answer = await account.fill(handler, fields)
    const flash = (await account.flashOf(answer, 'new-api')) ?? (await account.flashOf(answer, 'api')) ?? undefined
    return flash?.done ?? flash?.problems.map(({ field = '', code }) => `${field} ${code}`.trim()).join(', ')
  }
  const register = (account: Account, team: string, identifier: string, changes: Record<string, string> = {}) =>
    post(account, answerApiRegistration, { team, identifier, ...orders, ...changes })
  const found = (team: string, identifier: string) => postern.context.teamApis.find(team, identifier)
  const at = (path: string) => `https://${path}.example/`

  it('registers an API that apps of the team can name, and writes the act', async () => {
    const owner = await member('t1')
    expect(await register(owner, 't1', at('a1'))).toBe('api_registered')
    expect(await found('t1', at('a1'))).toMatchObject({ name: 'Orders', scopes: ['orders.read', 'orders.write'] })
    expect(await postern.context.oauth.store.findApis('t1')).toMatchObject([{ identifier: at('a1') }])
    expect(await postern.context.acts.list('t1', undefined, 5)).toMatchObject([
      { kind: 'api_registered', target: at('a1'), targetName: 'Orders', after: { scopes: 'orders.read orders.write' } },
    ])
  })

  it.each([
    [{ identifier: '' }, 'identifier rule'],
    [{ identifier: 'http://plain.example/' }, undefined],
    [{ identifier: 'https://a.example/#part' }, 'identifier rule'],
    [{ identifier: 'http://localhost:3000/x' }, 'identifier rule'],
    [{ identifier: `https://a.example/${'x'.repeat(10_000)}` }, 'identifier rule'],
    [{ name: '' }, 'name rule'],
    // People read the name on the consent page.
    [{ name: 'Official Support' }, 'name name_reserved'],
    [{ name: 'Аcme orders' }, 'name name_scripts'],
    [{ name: 'Orders\u3164' }, 'name name_characters'],
    [{ scopes: '' }, 'scopes rule'],
    [{ scopes: 'openid' }, 'scopes rule'],
    [{ scopes: 'a b' }, 'scopes rule'],
    [{ scopes: 'x\n'.repeat(30) }, 'scopes rule'],
    [{ signing_alg: 'none' }, 'signing_alg rule'],
  ])('reads %.60j with the rules of a file', async (changes, problem) => {
    const owner = await member('t2')
    const result = await register(owner, 't2', at('a2'), changes)
    if (problem) expect(result).toContain(problem)
    else expect(result).toBe('api_registered')
  })

  it('gives an identifier to one of eight, and does not name the team that has it', async () => {
    const [owner, other] = [await member('t3'), await member('o3')]
    const results = await Promise.all(Array.from({ length: 8 }, () => register(owner, 't3', at('a3'))))
    expect(results.toSorted()).toEqual(['api_registered', ...Array(7).fill('identifier api_taken')])
    expect(await register(other, 'o3', at('a3'))).toBe('identifier api_taken')
  })

  it('rejects a scope of another API of the team', async () => {
    const owner = await member('t4')
    await register(owner, 't4', at('a4'))
    expect(await register(owner, 't4', at('b4'), { scopes: 'orders.read' })).toBe('scopes rule')
  })

  it('changes an API, tells the later of two editors, and lets a viewer change nothing', async () => {
    const [owner, viewer] = [await member('t5'), await member('t5', 'viewer')]
    await register(owner, 't5', at('a5'))
    const { version = '' } = (await found('t5', at('a5'))) ?? {}
    const change = (account: Account, fields: Record<string, string>) =>
      post(account, answerApiChange, { team: 't5', identifier: at('a5'), version, ...orders, ...fields })
    expect(await change(viewer, { name: 'X' })).toBe('not_allowed')
    expect(await change(owner, { name: 'First' })).toBe('api_changed')
    expect(await change(owner, { name: 'Second' })).toBe('api_stale')
    expect(await change(owner, { version: 'soon' })).toBe('api_stale')
    expect(await found('t5', at('a5'))).toMatchObject({ name: 'First' })
  })

  it('deletes an API after its name was typed, for owners only, and never that of another team', async () => {
    const [owner, developer, other] = [await member('t6'), await member('t6', 'developer'), await member('o6')]
    await register(owner, 't6', at('a6'))
    const remove = (account: Account, team: string, confirm: string) =>
      post(account, answerApiDeletion, { team, identifier: at('a6'), confirm })
    expect(await remove(developer, 't6', 'Orders')).toBe('not_allowed')
    expect(await remove(owner, 't6', '')).toBe('confirm confirm_missing')
    await remove(other, 'o6', 'Orders')
    expect(await found('t6', at('a6'))).toBeDefined()
    expect(await remove(owner, 't6', 'Orders')).toBe('api_deleted')
    expect(await found('t6', at('a6'))).toBeUndefined()
    expect((await postern.context.acts.list('o6', undefined, 5)).length).toBe(0)
  })

  it('asks for a recent sign-in before it registers or deletes an API', async () => {
    const owner = await member('t7')
    await register(owner, 't7', at('a7'))
    postern.later(3600)
    await register(owner, 't7', at('b7'))
    await post(owner, answerApiDeletion, { team: 't7', identifier: at('a7'), confirm: 'Orders' })
    expect((await postern.context.teamApis.list('t7')).map(({ identifier }) => identifier)).toEqual([at('a7')])
  })

  it('does the same by the JSON API', async () => {
    const [owner, other] = [await member('t8'), await member('o8')]
    const token = await makeToken(owner, 't8', ['read', 'apps'])
    const body = { identifier: at('a8'), name: 'Orders', scopes: ['orders.read'], signing_alg: 'RS256' }
    const made = await send(token, 'POST', '/apis', { body })
    expect([made.status, made.json]).toMatchObject([201, body])
    const path = `/apis/${encodeURIComponent(at('a8'))}`
    const etag = made.headers.get('etag') ?? ''
    const { identifier: _, ...rest } = body
    const put = (tag: string) =>
      send(token, 'PUT', path, { body: { ...rest, name: 'Bills' }, headers: { 'if-match': tag } })
    expect([(await put(etag)).status, (await put(etag)).status, (await put('*')).status]).toEqual([200, 412, 200])
    expect((await send(token, 'GET', '/apis')).json).toMatchObject({ items: [{ name: 'Bills' }] })
    const foreign = await makeToken(other, 'o8', ['read', 'apps'])
    expect((await send(foreign, 'GET', path)).status).toBe(404)
    expect((await send(foreign, 'DELETE', path)).status).toBe(404)
    expect((await send(token, 'DELETE', path)).status).toBe(204)
    expect((await send(token, 'GET', path)).status).toBe(404)
  })
})
