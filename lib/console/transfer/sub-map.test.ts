import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerSubMap } from './sub-map.ts'

describe.each(kinds)('the map of identifiers on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { person, member, app, offer, openOffer, accept, settle } = openTransfers(postern)
  const { makeToken, send } = openApi(postern)

  /** Moves an app with three people, and returns the owners and the map. */
  const moved = async (from: string, to: string) => {
    const [giver, receiver, id] = [await member(from), await member(to), await app(from)]
    for (let n = 0; n < 3; n++) await postern.approve({ clientId: id, username: await person(`${from}-${n}`) })
    await offer(giver, from, id, to)
    await accept(receiver, to, await openOffer(id))
    return { giver, receiver, id }
  }
  const rows = async (team: string, id: string) => {
    const arrival = await postern.context.transfers.findArrival(id, team, postern.context.now())
    return postern.context.transfers.readMap(arrival?.id ?? '', '', 10)
  }

  it('is a CSV or a JSON file for members of the receiving team, and each download is an act', async () => {
    const { receiver, id } = await moved('g1', 'r1')
    await settle()
    const map = await rows('r1', id)
    const csv = await receiver.fill(answerSubMap, { team: 'r1', app: id, format: 'csv' })
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="sub-map-${id}.csv"`)
    expect(csv.headers.get('cache-control')).toBe('no-store')
    const lines = map.map((row) => `${row.old_sub},${row.new_sub}\r\n`)
    expect(await csv.text()).toBe(`old_sub,new_sub\r\n${lines.join('')}`)
    const json = await receiver.fill(answerSubMap, { team: 'r1', app: id, format: 'json' })
    expect(await json.json()).toEqual(map)
    const acts = await postern.context.acts.list('r1', undefined, 2)
    expect(acts.map((act) => `${act.kind} ${act.target}`)).toEqual([`sub_map_read ${id}`, `sub_map_read ${id}`])
  })

  it('is a list in the API, page by page', async () => {
    const { receiver, id } = await moved('g2', 'r2')
    await settle()
    const token = await makeToken(receiver, 'r2', ['apps'])
    const first = await send(token, 'GET', `/apps/${id}/sub-map?limit=2`)
    const { items, next } = first.json as unknown as { items: unknown[]; next: string }
    const second = await send(token, 'GET', `/apps/${id}/sub-map?limit=2&after=${next}`)
    const rest = second.json as unknown as { items: unknown[]; next: string | null }
    expect([...items, ...rest.items]).toEqual(await rows('r2', id))
    expect(rest.next).toBeNull()
    const readOnly = await makeToken(receiver, 'r2', ['read'])
    expect((await send(readOnly, 'GET', `/apps/${id}/sub-map`)).status).toBe(403)
  })

  it('is read in the API with an act in each hour, wherever the reading begins', async () => {
    const { receiver, id } = await moved('g4', 'r4')
    await settle()
    const token = await makeToken(receiver, 'r4', ['apps'])
    const reads = async () =>
      (await postern.context.acts.list('r4', undefined, 50)).filter(({ kind: act }) => act === 'sub_map_read').length
    expect((await send(token, 'GET', `/apps/${id}/sub-map?after=-`)).json).toMatchObject({ items: [{}, {}, {}] })
    expect(await reads()).toBe(1)
    const [first] = await rows('r4', id)
    await Promise.all(
      ['', `&after=${first?.old_sub}`].map((q) => send(token, 'GET', `/apps/${id}/sub-map?limit=1${q}`)),
    )
    expect(await reads()).toBe(1)
    postern.later(3600)
    await send(token, 'GET', `/apps/${id}/sub-map?after=${first?.old_sub}`)
    expect(await reads()).toBe(2)
  })

  it('is closed to the giving team, to viewers, before the job is done, and after sixty days', async () => {
    const { giver, receiver, id } = await moved('g3', 'r3')
    const result = async (account: typeof giver, team: string) => {
      const answer = await account.fill(answerSubMap, { team, app: id })
      return answer.status === 200 ? answer.text() : (await account.flashOf(answer, 'app'))?.problems[0]?.code
    }
    expect(await result(receiver, 'r3')).toBe('app_moving')
    await settle()
    expect(await result(giver, 'g3')).toBeUndefined()
    expect(await result(giver, 'r3')).toBeUndefined()
    expect(await result(await member('r3', 'viewer'), 'r3')).toBe('not_allowed')
    const token = await makeToken(giver, 'g3', ['apps'])
    expect((await send(token, 'GET', `/apps/${id}/sub-map`)).status).toBe(404)
    postern.later(59 * 86_400)
    const again = await member('r3')
    expect(await result(again, 'r3')).toContain('old_sub')
    postern.later(86_400)
    expect(await result(await member('r3'), 'r3')).toBe('map_over')
  })
})
