import { describe, expect, it } from 'vitest'
import { openApi } from '#lib/testing/console/api'
import { openApps } from '#lib/testing/console/apps'
import { sharePostern } from '#lib/testing/process/share-postern'

const receiver = 'https://events.acme.example/in'
const path = '/apps/acme-web/event_receiver'

describe('the API of security events', () => {
  const postern = sharePostern({ env: { TEAMS: 'open' } })
  const { member } = openApps(postern)
  const { makeToken, send } = openApi(postern)
  const tokenOf = async (scopes: string[]) => makeToken(await member('owner'), 'acme', scopes)

  it('registers, verifies, pauses, lists and removes, as the console does', async () => {
    const token = await tokenOf(['read', 'apps'])
    expect((await send(token, 'GET', path)).status).toBe(404)
    const set = await send(token, 'PUT', path, { body: { receiver, authorization: 'Bearer of-the-receiver' } })
    expect([set.status, set.json]).toMatchObject([200, { receiver, has_authorization: true, paused_at: null }])
    expect((await send(token, 'PUT', path, { body: { receiver } })).json).toMatchObject({ has_authorization: true })
    const moved = await send(token, 'PUT', path, { body: { receiver: `${receiver}/2` } })
    expect(moved.status).toBe(422)
    expect((await send(token, 'POST', `${path}/pause`)).json.paused_at).toEqual(expect.any(String))
    expect((await send(token, 'POST', `${path}/verify`)).status).toBe(200)
    const { json } = await send(token, 'GET', '/apps/acme-web/events')
    expect(json).toMatchObject({ items: [{ type: 'verification', state: 'waiting' }], next: null })
    expect((await send(token, 'POST', '/apps/acme-web/events/replay')).status).toBe(409)
    expect((await send(token, 'POST', `${path}/resume`)).json).toMatchObject({ paused_at: null })
    expect((await send(token, 'DELETE', path)).status).toBe(204)
    expect((await send(token, 'GET', path)).status).toBe(404)
  })

  it.each([{}, { receiver: 7 }, { receiver, more: 1 }, { receiver, authorization: 'a\nb' }, { receiver: 'ftp://a/' }])(
    'refuses the body %j',
    async (body) => {
      expect((await send(await tokenOf(['read', 'apps']), 'PUT', path, { body })).status).toBe(422)
      expect(await postern.context.eventReceivers.find('acme-web')).toBeUndefined()
    },
  )

  it('changes nothing for a token that may only read, and nothing of another team', async () => {
    expect((await send(await tokenOf(['read']), 'PUT', path, { body: { receiver } })).status).toBe(403)
    const token = await tokenOf(['read', 'apps'])
    const other = path.replace('acme-web', 'other-web')
    expect((await send(token, 'PUT', other, { body: { receiver } })).status).toBe(404)
    expect((await send(token, 'GET', '/apps/other-web/events')).status).toBe(404)
  })

  it('answers 429 with the time to wait after five replays in an hour', async () => {
    postern.later(3600)
    const token = await tokenOf(['read', 'apps'])
    const replay = () => send(token, 'POST', '/apps/acme-web/events/replay')
    for (let n = 0; n < 5; n++) expect((await replay()).status).toBe(409)
    const { status, json, headers } = await replay()
    expect([status, json]).toMatchObject([429, { code: 'replay_wait', detail: expect.stringContaining('five times') }])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
