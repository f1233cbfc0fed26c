import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { avatarLimits } from '#lib/account/profile/avatar'
import { openApi } from '#lib/testing/console/api'
import { openTransfers } from '#lib/testing/console/transfers'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerApi } from './answer.ts'

const picture = async () => {
  const red = { create: { width: 300, height: 100, channels: 3, background: 'red' } } as const
  return new Uint8Array(await sharp(red).png().toBuffer())
}

describe.each(kinds)('the API of a team on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { member, app, offer, openOffer } = openTransfers(postern)
  const { makeToken, send } = openApi(postern)
  const put = async (token: string, id: string, body: BodyInit, type = 'image/png', headers = {}) => {
    const sent = { authorization: `Bearer ${token}`, 'content-type': type, ...headers }
    const url = `${postern.context.config.accountUrl}/console/api/v1/apps/${id}/logo`
    const answer = await answerApi(postern.context, new Request(url, { method: 'PUT', headers: sent, body }))
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
  const team = async (id: string) => {
    const owner = await member(id)
    return { id, owner, token: await makeToken(owner, id, ['read', 'apps']), appId: await app(id) }
  }

  it('sets, shows and removes the logo of an app', async () => {
    const { token, appId, id } = await team('logo')
    const set = await put(token, appId, await picture())
    expect([set.status, set.json.logo_uri]).toEqual([200, expect.stringMatching(/\/avatars\/[\w-]{32}\.webp$/)])
    expect((await send(token, 'GET', `/apps/${appId}`)).json.logo_uri).toBe(set.json.logo_uri)
    const file = String(set.json.logo_uri).split('/').at(-1) ?? ''
    const stored = await postern.context.database.prisma.picture.findUniqueOrThrow({ where: { file } })
    expect(await sharp(stored.bytes).metadata()).toMatchObject({ format: 'webp' })
    expect((await send(token, 'DELETE', `/apps/${appId}/logo`)).json.logo_uri).toBe(null)
    expect(await postern.context.database.prisma.picture.count({ where: { file } })).toBe(0)
    const [removed, changed] = await postern.context.acts.list(id, undefined, 2)
    expect([removed?.kind, changed?.kind, changed?.token]).toEqual(['logo_removed', 'logo_changed', 'CI'])
  })

  it('keeps one picture of eight that are set at once', async () => {
    const { token, appId } = await team('logos')
    const before = await postern.context.database.prisma.picture.count()
    const bytes = await picture()
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(token, appId, bytes)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await postern.context.database.prisma.picture.count()).toBe(before + 1)
  })

  it('refuses another type, a large picture, and bytes that are no picture', async () => {
    const { token, appId } = await team('bad-logo')
    const other = await team('other-logo')
    const bytes = await picture()
    expect(await put(token, appId, bytes, 'image/svg+xml')).toMatchObject({ status: 415 })
    expect(await put(token, appId, '{}', 'application/json')).toMatchObject({ status: 415 })
    expect(await put(token, appId, new Uint8Array(avatarLimits.bytes + 1))).toMatchObject({ status: 413 })
    const length = { 'content-length': String(avatarLimits.bytes + 1) }
    expect(await put(token, appId, bytes, 'image/png', length)).toMatchObject({ status: 413 })
    for (const broken of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', bytes.slice(0, 60)])
      expect(await put(token, appId, broken)).toMatchObject({
        status: 422,
        json: { errors: [{ pointer: '/picture' }] },
      })
    expect(await put(other.token, appId, bytes)).toMatchObject({ status: 404 })
    expect(await put(await makeToken(other.owner, other.id, ['read']), other.appId, bytes)).toMatchObject({
      status: 403,
    })
    expect((await send(token, 'GET', `/apps/${appId}`)).json.logo_uri).toBe(null)
  })

  it('shows and withdraws an offer, and lists and declines one', async () => {
    const [giving, receiving] = [await team('giving'), await team('receiving')]
    const path = `/apps/${giving.appId}/offer`
    expect((await send(giving.token, 'GET', path)).status).toBe(404)
    await offer(giving.owner, giving.id, giving.appId, receiving.id)
    const open = (await send(giving.token, 'GET', path)).json
    expect(open).toMatchObject({ app: { client_id: giving.appId }, to: { id: 'receiving' } })
    expect((await send(receiving.token, 'GET', path)).status).toBe(404)
    expect((await send(receiving.token, 'GET', '/offers')).json).toEqual({ items: [open] })
    expect((await send(giving.token, 'DELETE', `/offers/${open.id}`)).status).toBe(404)
    expect((await send(receiving.token, 'DELETE', path)).status).toBe(404)
    expect((await send(giving.token, 'DELETE', path)).status).toBe(204)
    expect((await send(giving.token, 'DELETE', path)).status).toBe(404)
    await offer(giving.owner, giving.id, giving.appId, receiving.id)
    const again = await openOffer(giving.appId)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(receiving.token, 'DELETE', `/offers/${again}`)),
    )
    for (const { status } of answers) expect([204, 404, 409]).toContain(status)
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect((await send(receiving.token, 'GET', '/offers')).json).toEqual({ items: [] })
  })

  it('offers and accepts no app for a token, and ends no offer for a developer', async () => {
    const [giving, receiving] = [await team('giver'), await team('taker')]
    const all = ['read', 'apps', 'credentials', 'members', 'team']
    const developer = await makeToken(await member('giver', 'developer'), 'giver', all)
    await offer(giving.owner, giving.id, giving.appId, receiving.id)
    const path = `/apps/${giving.appId}/offer`
    for (const method of ['POST', 'PUT', 'PATCH'])
      expect((await send(giving.token, method, path, { body: { to: 'taker' } })).status).toBe(405)
    for (const method of ['GET', 'DELETE'])
      expect((await send(developer, method, path)).json).toMatchObject({ status: 403, code: 'not_allowed' })
    expect(await openOffer(giving.appId)).not.toBe('')
  })
})
