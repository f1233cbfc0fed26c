import { describe, expect, it } from 'vitest'
import { openRegistration } from '#lib/testing/console/registration'
import { openTeams } from '#lib/testing/console/teams'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'

// The sentences of RFC 7592, as docs/conformance.md lists them.

const uris = ['https://robot.example/cb']

describe.each(kinds)('RFC 7592 on %s', (kind) => {
  const postern = sharePostern({ kind, env: { TEAMS: 'open' } })
  const { makeInitial, register, send } = openRegistration(postern)
  const { teamWith } = openTeams(postern)
  const registered = async (metadata = {}) => {
    const { owner, id: team } = await teamWith('viewer')
    const { body } = await register(await makeInitial(owner, team), {
      redirect_uris: uris,
      client_name: 'Robot',
      ...metadata,
    })
    const made = body as Record<string, string>
    const [path, key] = [`/register/${made.client_id}`, made.registration_access_token ?? '']
    return {
      made,
      team,
      body: { client_id: made.client_id, redirect_uris: uris, client_name: 'Robot' },
      read: () => send('GET', path, key),
      replace: (metadata: unknown) => send('PUT', path, key, metadata),
      remove: () => send('DELETE', path, key),
    }
  }

  it('challenges a request with a wrong token (§2)', async () => {
    const { made } = await registered()
    const answer = await send('GET', `/register/${made.client_id}`, 'wrong')
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  })

  it('returns the present values (§2.1)', async () => {
    const { made, team, read } = await registered()
    const app = await postern.context.teamApps.find(made.client_id ?? '')
    const declaration = { ...app?.declaration, name: 'By the console' }
    const { declare } = await import('#lib/console/app/declare-app')
    const { app: declared } = declare(postern.context, declaration, team, app)
    const act = { id: `a-${kind}`, at: postern.context.now(), actor: 'ada', kind: 'app_changed', target: '' } as const
    if (!declared) throw new Error('The declaration is not valid.')
    await postern.context.teamApps.update(declared, app?.version ?? '', { ...act, before: {}, after: {} })
    expect((await read()).body).toMatchObject({ client_name: 'By the console', client_id: made.client_id })
  })

  it('accepts the current client_secret, and lets no app choose another one (§2.2)', async () => {
    const { made, body, replace } = await registered()
    const answer = await replace({ ...body, client_secret: made.client_secret, client_name: 'Second' })
    expect([answer.status, answer.body.client_name]).toEqual([200, 'Second'])
    const { made: other } = await registered()
    for (const client_secret of ['my-own-chosen-secret', other.client_secret, '', 7, [made.client_secret], {}])
      expect(await replace({ ...body, client_secret })).toMatchObject({
        status: 400,
        body: { error: 'invalid_client_metadata' },
      })
    const secrets = await postern.context.database.prisma.appSecret.count({ where: { appId: made.client_id ?? '' } })
    expect(secrets).toBe(1)
  })

  it('refuses a secret that expired (§2.2)', async () => {
    const { made, body, replace } = await registered()
    await postern.context.database.prisma.appSecret.updateMany({
      where: { appId: made.client_id ?? '' },
      data: { expiresAt: postern.context.now() },
    })
    expect((await replace({ ...body, client_secret: made.client_secret })).status).toBe(400)
  })

  it.each(['registration_access_token', 'registration_client_uri', 'client_secret_expires_at', 'client_id_issued_at'])(
    'refuses %s (§2.2)',
    async (name) => {
      const { made, body, replace } = await registered()
      expect((await replace({ ...body, [name]: made[name] })).status).toBe(400)
    },
  )

  it('replaces names in every language, and deletes what the request omits or sets to null (§2.2)', async () => {
    const { body, replace, read } = await registered({ 'client_name#ja': 'ロボット', 'client_name#zh-CN': '机器人' })
    await replace({ ...body, 'client_name#ja': 'ガーデン', 'client_name#zh-CN': null, client_uri: null })
    const now = (await read()).body
    expect(now).toMatchObject({ 'client_name#ja': 'ガーデン' })
    expect(now).not.toHaveProperty(['client_name#zh-CN'])
  })

  it('checks a replacement like a registration (§2.2)', async () => {
    const { body, replace, read } = await registered()
    for (const [wrong, error] of [
      [{ redirect_uris: ['http://robot.example/'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: null }, 'invalid_redirect_uri'],
      [{ client_name: 'Postern Support' }, 'invalid_client_metadata'],
      [{ 'client_name#en': 'Official' }, 'invalid_client_metadata'],
      [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
      [{ software_statement: 'a.b.c' }, 'unapproved_software_statement'],
    ] as const)
      expect(await replace({ ...body, ...wrong })).toMatchObject({ status: 400, body: { error } })
    expect((await read()).body).toMatchObject({ client_name: 'Robot', redirect_uris: uris })
  })

  it('lets eight replacements at once end in one of them (§2.2)', async () => {
    const { body, replace, read } = await registered()
    const names = Array.from({ length: 8 }, (_, n) => `Robot ${n}`)
    const answers = await Promise.all(names.map((client_name) => replace({ ...body, client_name })))
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(names).toContain((await read()).body.client_name)
  })

  it('ends the app and the token, also for eight deletions at once (§2.3)', async () => {
    const { made, remove, read } = await registered()
    const answers = await Promise.all(Array.from({ length: 8 }, remove))
    for (const { status } of answers) expect([204, 401]).toContain(status)
    expect(answers.map(({ status }) => status)).toContain(204)
    expect((await read()).status).toBe(401)
    expect(await postern.context.teamApps.find(made.client_id ?? '')).toMatchObject({ disabledBy: 'deletion' })
  })

  it('keeps the token and the address of the app (§3)', async () => {
    const { made, body, replace, read } = await registered()
    for (const answer of [await read(), await replace(body)])
      expect(answer.body).toMatchObject({
        registration_access_token: made.registration_access_token,
        registration_client_uri: `${postern.context.config.issuer}/register/${made.client_id}`,
      })
  })

  it('ends every token of a deleted team (§5)', async () => {
    const { owner, id } = await teamWith('viewer')
    const initial = await makeInitial(owner, id)
    const { body } = await register(initial, { redirect_uris: uris })
    const { client_id: app, registration_access_token: key } = body as Record<string, string>
    await postern.context.database.prisma.app.deleteMany({ where: { teamId: id } })
    await postern.context.database.prisma.team.delete({ where: { id } })
    expect((await send('GET', `/register/${app}`, key ?? '')).status).toBe(401)
    expect((await register(initial, { redirect_uris: uris })).status).toBe(401)
  })
})
