import { expect, test } from 'vitest'
import { setUpCommandLine as setUp } from '../testing/command-line.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const ada = { username: 'ada', password: 'correct horse', email: 'ada@example.org' }
const good = { teams: [{ id: 'acme', name: 'Acme', apps: [web] }], people: [ada] }

test('an avatar is set under an unguessable name, and refused when it is no picture', async () => {
  const { cli, save } = setUp()
  await cli(['apply', save(good)])
  const picture = save(png, 'me.png')
  const { answer } = await cli(['user', 'avatar', 'Ada', picture])
  expect(answer().file).toMatch(/^[A-Za-z0-9_-]{32}\.png$/)
  expect((await cli(['user', 'list'])).answer()[0]).toMatchObject({ username: 'ada', picture: true })
  expect((await cli(['user', 'avatar', 'ada', save('text', 'me.txt')])).stderr).toContain('not a PNG, JPEG or WebP')
  const nobody = await cli(['user', 'avatar', 'bob', picture])
  expect([nobody.code, nobody.stdout]).toEqual([1, ''])
  expect(nobody.stderr).toContain('"bob"')
})

test('an account is disabled and enabled', async () => {
  const { cli, save } = setUp()
  await cli(['apply', save(good)])
  expect((await cli(['user', 'disable', 'ada'])).answer()).toEqual({ username: 'ada', disabled: true })
  expect((await cli(['user', 'list'])).answer()[0].disabled_at).toMatch(/^20/)
  expect((await cli(['user', 'enable', 'ada'])).answer()).toEqual({ username: 'ada', disabled: false })
  expect((await cli(['user', 'list'])).answer()[0].disabled_at).toBeNull()
})

test('a secret is printed once, two are live at most, and one is removed by its id', async () => {
  const { cli, save } = setUp()
  await cli(['apply', save(good)])
  const { answer } = await cli(['app', 'secret', 'add', 'acme-web'])
  const { client_secret: secret, secret_id: id } = answer()
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const shown = await cli(['app', 'show', 'acme-web'])
  expect(shown.answer().secrets).toHaveLength(2)
  expect(shown.stdout).not.toContain(secret)
  const third = await cli(['app', 'secret', 'add', 'acme-web'])
  expect([third.code, third.stdout]).toEqual([1, ''])
  expect(third.stderr).toContain('two live secrets')
  expect((await cli(['app', 'secret', 'remove', 'acme-web', id])).answer()).toEqual({
    client_id: 'acme-web',
    removed: id,
    live: 1,
  })
  expect((await cli(['app', 'secret', 'remove', 'acme-web', id])).code).toBe(1)
  expect((await cli(['app', 'show', 'nobody'])).stderr).toContain('There is no app "nobody"')
})
