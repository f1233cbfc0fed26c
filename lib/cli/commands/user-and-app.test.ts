import sharp from 'sharp'
import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const ada = { username: 'ada', password: 'correct horse', email: 'ada@example.org' }
const good = { teams: [{ id: 'acme', name: 'Acme', apps: [web] }], people: [ada] }

it('encodes an avatar again under an unguessable name; refuses a file that is not a picture', async () => {
  const { cli, save, dataDir } = setUp()
  await cli(['apply', save(good)])
  const red = sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } }).jpeg()
  const picture = save(await red.withExif({ IFD0: { Artist: 'Ada at home' } }).toBuffer(), 'me.jpg')
  const { answer } = await cli(['user', 'avatar', 'Ada', picture])
  expect(answer().file).toMatch(/^[A-Za-z0-9_-]{32}\.webp$/)
  const database = await openDatabase(`file:${dataDir}/postern.db`)
  const stored = await database.prisma.picture.findUniqueOrThrow({ where: { file: answer().file } })
  await database.close()
  const { format, width, height, exif } = await sharp(stored.bytes).metadata()
  expect([format, width, height, exif]).toEqual(['webp', 512, 512, undefined])
  expect((await cli(['user', 'show', 'ada'])).answer()).toMatchObject({ username: 'ada', picture: true })
  const avatar = async (file: string) => (await cli(['user', 'avatar', 'ada', file])).stderr
  expect(await avatar(save('text', 'me.txt'))).toContain('The picture is not a PNG')
  expect(await avatar(save(Buffer.from('89504e470d0a1a0a0000', 'hex'), 'me.png'))).toContain('The picture is damaged.')
  expect(await avatar('/nowhere.png')).toContain('The picture cannot be read (there is no such file): /nowhere.png')
  const nobody = await cli(['user', 'avatar', 'bob', picture])
  expect([nobody.code, nobody.stdout]).toEqual([1, ''])
  expect(nobody.stderr).toContain('"bob"')
})

it('disables and enables an account', async () => {
  const { cli, save } = setUp()
  await cli(['apply', save(good)])
  expect((await cli(['user', 'disable', 'ada'])).answer()).toEqual({ username: 'ada', disabled: true })
  expect((await cli(['user', 'list'])).answer()[0].disabled_at).toMatch(/^20/)
  expect((await cli(['user', 'enable', 'ada'])).answer()).toEqual({ username: 'ada', disabled: false })
  expect((await cli(['user', 'list'])).answer()[0].disabled_at).toBeNull()
})

it('prints a secret once, allows two live ones, and removes one by its id', async () => {
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
