import { describe, expect, it } from 'vitest'
import { type DeclaredApp, readApp } from '#lib/apps/app-rules'
import { makeSecret, makeSecretId, mostLiveSecrets } from '#lib/apps/secret'
import type { Act } from '#lib/console/audit/act'
import { knownScopes } from '#lib/oauth/scope'
import { makeProof } from '#lib/relay/sender-domains/mail-domain'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { teamAppStore } from './team-app-store.ts'

describe.each(kinds)('apps of a team on %s', (kind) => {
  const postern = sharePostern({ kind })
  let last = 0
  const store = () => {
    const { random, database } = postern.context
    const credentials = { makeSecret, makeSecretId, mostLiveSecrets, makeProof }
    return teamAppStore(database.prisma, { random, credentials })
  }
  const act = (): Act => {
    last += 1
    return {
      id: `act-${last}`,
      at: postern.context.now(),
      actor: 'ada',
      kind: 'app_changed',
      target: '',
      before: {},
      after: {},
    }
  }
  const declare = (input: object, teamId = 'acme'): DeclaredApp => {
    const problems: string[] = []
    const rules = { issuerIsLoopback: true, knownScopes }
    const app = readApp(input, '', teamId, rules, (path, message) => problems.push(`${path} ${message}`))
    if (!app) throw new Error(problems.join('; '))
    return app
  }
  const web = (id: string) => ({
    client_id: id,
    name: 'Console Web',
    kind: 'confidential',
    redirect_uris: ['https://acme.example/cb'],
    scopes: ['openid', 'name', 'email'],
    email: 'required',
    required_scopes: ['name'],
    post_logout_redirect_uris: ['https://acme.example/bye'],
  })
  const registered = async () => {
    last += 1
    const id = `web-${kind}-${last}`
    const written = await store().register(declare(web(id)), 100, act())
    return { id, written }
  }
  const acts = async () =>
    (await postern.context.database.prisma.teamAct.findMany({ orderBy: { at: 'desc' } })).map(({ target }) => target)

  it('registers an app and returns its secret, which no act and no row shows', async () => {
    const { id, written } = await registered()
    if (written.result !== 'written') throw new Error(written.result)
    expect(written.secret).toMatch(/^[\w-]{43}$/)
    const rows = await postern.context.database.prisma.teamAct.findMany({ where: { target: id } })
    expect(JSON.stringify([rows, await store().find(id)])).not.toContain(written.secret)
    expect(await store().find(id)).toMatchObject({
      teamId: 'acme',
      name: 'Console Web',
      secrets: [{ lastUsedAt: null }],
    })
  })

  it('returns a declaration that registers the same app again', async () => {
    const { id } = await registered()
    const before = await store().find(id)
    expect(before?.declaration).toMatchObject(web(id))
    const again = await store().update(declare(before?.declaration ?? {}), before?.version ?? '', act())
    expect(again.result).toBe('written')
    expect((await store().find(id))?.declaration).toEqual(before?.declaration)
    // Nothing changed, so nothing is in the audit trail.
    expect((await acts()).filter((target) => target === id)).toHaveLength(1)
  })

  it('lets one of eight editors of one version write, and tells the others', async () => {
    const { id } = await registered()
    const version = (await store().find(id))?.version ?? ''
    const names = Array.from({ length: 8 }, (_, n) => `Editor ${n}`)
    const written = await Promise.all(
      names.map((name) => store().update(declare({ ...web(id), name }), version, act())),
    )
    expect(written.filter(({ result }) => result === 'written')).toHaveLength(1)
    expect(written.filter(({ result }) => result === 'stale')).toHaveLength(7)
  })

  it('gives two changes in one millisecond two versions', async () => {
    const { id } = await registered()
    const one = (await store().find(id))?.version ?? ''
    await store().update(declare({ ...web(id), name: 'B' }), one, act())
    const two = (await store().find(id))?.version ?? ''
    expect(two > one).toBe(true)
    expect((await store().update(declare({ ...web(id), name: 'C' }), one, act())).result).toBe('stale')
  })

  it('writes the changed fields to the audit trail', async () => {
    const { id } = await registered()
    const version = (await store().find(id))?.version ?? ''
    const change = act()
    await store().update(declare({ ...web(id), name: 'Renamed' }), version, change)
    const row = await postern.context.database.prisma.teamAct.findUniqueOrThrow({ where: { id: change.id } })
    expect([JSON.parse(row.before), JSON.parse(row.after)]).toEqual([{ name: 'Console Web' }, { name: 'Renamed' }])
  })

  it('names changed fields as a file does, and a list in words', async () => {
    const { id } = await registered()
    const version = (await store().find(id))?.version ?? ''
    const change = act()
    const changed = {
      name: '[not a list',
      redirect_uris: ['https://acme.example/cb', 'https://acme.example/2'],
      backchannel_logout_uri: 'https://acme.example/logout',
    }
    await store().update(declare({ ...web(id), ...changed }), version, change)
    const row = await postern.context.database.prisma.teamAct.findUniqueOrThrow({ where: { id: change.id } })
    expect(JSON.parse(row.before)).toEqual({ name: 'Console Web', redirect_uris: 'https://acme.example/cb' })
    expect(JSON.parse(row.after)).toEqual({ ...changed, redirect_uris: changed.redirect_uris.join(' ') })
    const [made] = await postern.context.database.prisma.teamAct.findMany({ where: { target: id }, take: 1 })
    const [secret] = (await store().find(id))?.secrets ?? []
    expect(JSON.parse(made?.after ?? '')).toMatchObject({ kind: 'confidential', secret: secret?.id })
  })

  it("refuses another team's app, an id that is taken, and an app too many", async () => {
    const { id } = await registered()
    const version = (await store().find(id))?.version ?? ''
    expect((await store().update(declare({ ...web(id), name: 'Stolen' }, 'other'), version, act())).result).toBe(
      'stale',
    )
    expect((await store().update(declare(web('none-such')), version, act())).result).toBe('unknown')
    expect((await store().register(declare(web(id)), 100, act())).result).toBe('taken')
    expect((await store().register(declare(web(`${id}-more`)), 1, act())).result).toBe('enough')
    expect((await store().find(id))?.name).toBe('Console Web')
  })
})
