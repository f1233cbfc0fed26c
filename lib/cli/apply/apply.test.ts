import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl } from '#lib/testing/databases/databases'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const ada = { username: 'ada', password: 'correct horse', email: 'ada@example.org' }
const good = { teams: [{ id: 'acme', name: 'Acme', apps: [web] }], people: [ada] }

it('returns the changes and the generated secrets; a second run changes nothing', async () => {
  const { cli, save } = setUp()
  const file = save(good)
  const first = await cli(['apply', file])
  expect(first.code).toBe(0)
  expect(first.answer()).toEqual({
    applied: true,
    changes: [
      { op: 'create', kind: 'team', id: 'acme', fields: ['name', 'trusted'] },
      {
        op: 'create',
        kind: 'app',
        id: 'acme-web',
        fields: ['name', 'kind', 'profile', 'redirect_uris', 'scopes', 'required_scopes', 'email'],
      },
      { op: 'create', kind: 'secret', id: 'acme-web', fields: [] },
      { op: 'create', kind: 'person', id: 'ada', fields: ['username', 'password', 'email'] },
    ],
    secrets: { 'acme-web': expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) },
    notes: [],
  })
  expect((await cli(['apply', file])).answer()).toEqual({ applied: true, changes: [], secrets: {}, notes: [] })
})

it('reads stdin, and with --json writes nothing to stderr', async () => {
  const { stderr, code, answer } = await setUp().cli(['apply', '-', '--json'], JSON.stringify(good))
  expect([stderr, code, answer().applied]).toEqual(['', 0, true])
})

it('works on PostgreSQL in the same way', async () => {
  const { cli } = setUp({ DATABASE_URL: await freshUrl('postgresql') })
  expect((await cli(['apply', '-', '--dry-run'], JSON.stringify(good))).answer()).toMatchObject({
    applied: false,
    would_generate: ['acme-web'],
  })
  expect((await cli(['apply', '-'], JSON.stringify(good))).answer().changes).toHaveLength(4)
  expect((await cli(['apply', '-'], JSON.stringify(good))).answer().changes).toEqual([])
  expect((await cli(['doctor'])).code).toBe(0)
})

it('shows the difference in a dry run and writes nothing, not even a new database', async () => {
  const { cli, save, dataDir } = setUp()
  const file = save(good)
  const dry = await cli(['apply', file, '--dry-run'])
  expect(dry.answer()).toMatchObject({ applied: false, secrets: {}, would_generate: ['acme-web'] })
  expect(dry.answer().changes).toHaveLength(4)
  expect(existsSync(dataDir)).toBe(false)
  await cli(['apply', file])
  const renamed = save({ teams: [{ id: 'acme', name: 'Acme', apps: [{ ...web, name: 'New' }] }] })
  const update = await cli(['apply', renamed, '--dry-run'])
  expect(update.answer().changes).toEqual([{ op: 'update', kind: 'app', id: 'acme-web', fields: ['name'] }])
  expect(update.stderr).toContain('name: "Acme Web" → "New"')
  expect((await cli(['app', 'show', 'acme-web'])).answer().name).toBe('Acme Web')
})

it('rejects a file with any problem as a whole, and lists every problem of file and database', async () => {
  const { cli, save } = setUp()
  await cli(['apply', save(good)])
  const bad = save({
    teams: [
      {
        id: 'globex',
        name: 'Globex',
        apps: [web, { ...web, client_id: 'x', redirect_uris: ['http://x.example'], logo: 'none.png' }],
      },
      { id: 'fine', name: 'Fine', apps: [{ ...web, client_id: 'fine-app', logo: 'none.png' }] },
    ],
    people: [
      { username: 'bob', password: 'password' },
      { username: 'eve', password: 'correct horse', email: 'ADA@example.org' },
    ],
    poeple: [],
  })
  const { code, answer, stderr } = await cli(['apply', bad])
  expect(code).toBe(1)
  expect(
    answer()
      .problems.map((problem: { path: string }) => problem.path)
      .sort(),
  ).toEqual([
    'people[0].password',
    'people[1].email',
    'poeple',
    'teams[0].apps[0].client_id',
    'teams[0].apps[1].client_id',
    'teams[0].apps[1].redirect_uris[0]',
    'teams[1].apps[0].logo',
  ])
  expect(stderr).toContain('Nothing was applied; 7 problems')
  expect((await cli(['app', 'list'])).answer()).toHaveLength(1)
  expect((await cli(['user', 'list'])).answer()).toHaveLength(1)
})

it.each([
  ['{"teams": [}', 'line 1, column 12'],
  ['[]', 'must be an object'],
])('rejects %j', async (content, why) => {
  const { code, answer } = await setUp().cli(['apply', '-'], content)
  expect(code).toBe(1)
  expect(answer()).toEqual({ problems: [{ path: '', message: expect.stringContaining(why) }] })
})

it('reports a missing file as a problem', async () => {
  const { code, answer } = await setUp().cli(['apply', 'nowhere.json'])
  expect(code).toBe(1)
  expect(answer().problems[0].message).toContain('there is no such file')
})

it('notes a changed password and e-mail, and does not apply them', async () => {
  const { cli, save } = setUp()
  await cli(['apply', save(good)])
  const { code, answer } = await cli([
    'apply',
    save({ people: [{ ...ada, password: 'battery staple', email: 'other@example.org' }] }),
  ])
  expect(code).toBe(0)
  expect(answer().changes).toEqual([])
  expect(answer().notes).toEqual([
    expect.stringContaining('people[0].email: not applied'),
    expect.stringContaining('people[0].password: not applied'),
  ])
})

it('treats the Unicode and the ASCII form of an internationalized domain as the same address', async () => {
  const { cli, save } = setUp()
  const person = { username: 'ada', password: 'correct horse' }
  await cli(['apply', save({ people: [{ ...person, email: 'Ada@Bücher.example' }] })])
  expect((await cli(['user', 'show', 'ada'])).answer().email).toBe('ada@xn--bcher-kva.example')
  const again = await cli(['apply', save({ people: [{ ...person, email: 'ada@xn--bcher-kva.example' }] })])
  expect(again.answer()).toMatchObject({ changes: [], notes: [] })
})

it('suggests the key that an unknown key resembles', async () => {
  const { cli, save } = setUp()
  const { redirect_uris, ...rest } = web
  const file = save({ teams: [{ id: 'acme', name: 'Acme', apps: [{ ...rest, redirect_urls: redirect_uris }] }] })
  expect((await cli(['apply', file])).answer().problems).toContainEqual({
    path: 'teams[0].apps[0].redirect_urls',
    message: 'is not a known key; did you mean redirect_uris?',
  })
})

it('reads a logo next to the file; rejects a file that is too large or not a picture', async () => {
  const { cli, save } = setUp()
  save(png, 'logo.png')
  save('not a picture', 'logo.txt')
  save(Buffer.concat([png, Buffer.alloc(1_048_576)]), 'huge.png')
  const withLogo = (logo: string) => save({ teams: [{ id: 'acme', name: 'Acme', apps: [{ ...web, logo }] }] })
  expect((await cli(['apply', withLogo('logo.png')])).code).toBe(0)
  expect((await cli(['apply', withLogo('logo.png')])).answer().changes).toEqual([])
  expect((await cli(['app', 'show', 'acme-web'])).answer().logo).toBe(true)
  expect((await cli(['apply', withLogo('logo.txt')])).answer().problems[0].message).toContain('PNG, JPEG or WebP')
  expect((await cli(['apply', withLogo('huge.png')])).answer().problems[0].message).toContain('larger than 1 MiB')
})

it('approves the scopes that it declares, and drops waiting ones that it does not', async () => {
  const { cli, save, databaseUrl } = setUp()
  const app = { client_id: 'web', name: 'Web', kind: 'public', redirect_uris: ['https://a.example/'] }
  const file = (scopes: string[], api: string[]) => {
    const apis = [{ identifier: 'https://api.example/', name: 'API', scopes: api, sensitive_scopes: ['write'] }]
    return cli(['apply', save({ teams: [{ id: 'garden', name: 'Garden', apps: [{ ...app, scopes }], apis }] })])
  }
  expect((await file(['openid'], ['read', 'write'])).code).toBe(0)
  const { prisma, close } = await openDatabase(databaseUrl)
  const waiting = { waitingSince: new Date() }
  await prisma.app.updateMany({ data: { ...waiting, waitingScopes: 'gender region' } })
  await prisma.api.updateMany({ data: { ...waiting, waitingScopes: 'write' } })
  expect((await cli(['app', 'show', 'web'])).answer()).toMatchObject({ waiting_scopes: ['gender', 'region'] })
  expect((await file(['openid', 'gender'], ['read', 'write'])).code).toBe(0)
  expect(await prisma.app.findFirst()).toMatchObject({ scopes: 'openid gender', waitingScopes: '', waitingSince: null })
  expect(await prisma.api.findFirst()).toMatchObject({ scopes: 'read write', waitingScopes: '', waitingSince: null })
  await close()
})
