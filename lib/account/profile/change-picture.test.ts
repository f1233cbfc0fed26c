import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { openAccount } from '#lib/testing/browser/account'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerPictureRemoval, answerPictureUpload } from './change-picture.ts'
import { answerPicture } from './serve-picture.ts'

const picture = (background = 'green') =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .png()
    .toBuffer()

function formWith(bytes: Uint8Array, fields: Record<string, string> = {}, name = 'me.png') {
  const form = new FormData()
  form.set('picture', new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  return form
}

describe.each(kinds)('the avatar on %s', (kind) => {
  const postern = sharePostern({ kind })
  const serve = (file: string) =>
    answerPicture(postern.context, new Request(`http://localhost:3000/avatars/${file}`)).then(({ status }) => status)
  const stored = () => postern.context.database.prisma.picture.count()

  it('is stored under a random name, and the previous one is deleted', async () => {
    const ada = await openAccount(postern)
    const answer = await ada.post(answerPictureUpload, formWith(await picture(), { x: '0', y: '0', size: '60' }))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account/profile'])
    expect(await ada.flashOf(answer, 'picture')).toMatchObject({ done: 'saved' })
    const first = (await ada.stored()).avatarFile as string
    expect(first).toMatch(/^[\w-]{32}\.webp$/)
    expect(await serve(first)).toBe(200)
    const again = await ada.post(answerPictureUpload, formWith(await picture('red')))
    expect(await ada.flashOf(again, 'picture')).toMatchObject({ done: 'replaced' })
    const second = (await ada.stored()).avatarFile as string
    expect([await serve(first), await serve(second), await stored()]).toEqual([404, 200, 1])
    expect((await ada.activity())[0]).toMatchObject({ kind: 'picture_changed', detail: { how: 'saved' } })
  })

  it('leaves one picture after eight concurrent uploads', async () => {
    const ada = await openAccount(postern)
    const bytes = await picture('blue')
    await Promise.all(Array.from({ length: 8 }, () => ada.post(answerPictureUpload, formWith(bytes))))
    expect(await stored()).toBe(1)
    expect(await serve((await ada.stored()).avatarFile as string)).toBe(200)
  })

  it('is removed once', async () => {
    const ada = await openAccount(postern)
    await ada.post(answerPictureUpload, formWith(await picture()))
    const file = (await ada.stored()).avatarFile as string
    const answer = await ada.fill(answerPictureRemoval)
    expect(await ada.flashOf(answer, 'picture')).toMatchObject({ done: 'removed' })
    expect([await serve(file), await stored(), (await ada.stored()).avatarFile]).toEqual([404, 0, null])
    expect(await ada.flashOf(await ada.fill(answerPictureRemoval), 'picture')).toMatchObject({ done: 'unchanged' })
  })
})

describe('concurrent uploads', () => {
  const postern = sharePostern()

  it('are read one after the other for one person, and do not delay other people', async () => {
    const [ada, bob] = [await openAccount(postern), await openAccount(postern, 'bob')]
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const upload = (who: typeof ada, name: string, until?: Promise<void>) => {
      const pull = async (stream: ReadableStreamDefaultController) => {
        order.push(name)
        await until
        stream.close()
      }
      return who.post(answerPictureUpload, new ReadableStream({ pull }, { highWaterMark: 0 }), type)
    }
    const first = upload(ada, 'ada 1', gate.promise)
    await expect.poll(() => order).toEqual(['ada 1'])
    const second = upload(ada, 'ada 2')
    await upload(bob, 'bob')
    expect(order).toEqual(['ada 1', 'bob'])
    gate.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['ada 1', 'bob', 'ada 2'])
  })
})

describe('an invalid upload', () => {
  const postern = sharePostern()

  it.each([
    ['no file', new Uint8Array(), 'picture_empty'],
    ['a page', Buffer.from('<html>'), 'picture_kind'],
    ['half a picture', Buffer.from('89504e470d0a1a0a00', 'hex'), 'picture_damaged'],
  ])('rejects %s beside the field', async (_, bytes, code) => {
    const ada = await openAccount(postern)
    const answer = await ada.post(answerPictureUpload, formWith(bytes))
    expect((await ada.flashOf(answer, 'picture'))?.problems).toEqual([{ field: 'picture', code }])
    expect((await ada.stored()).avatarFile).toBeNull()
  })

  it.each(['-1', '1.5', '0x10', '1e3', 'NaN', '999999', ' 1', '١'])('ignores a crop of %j', async (x) => {
    const ada = await openAccount(postern)
    const answer = await ada.post(answerPictureUpload, formWith(await picture(), { x, y: '0', size: '10' }))
    expect(await ada.flashOf(answer, 'picture')).toMatchObject({
      problems: [],
      done: expect.stringMatching(/^(saved|replaced)$/),
    })
  })

  it.each(['../../etc/passwd', 'a\0b.png', '"; filename="x', '月.svg'])('ignores the file name %j', async (name) => {
    const ada = await openAccount(postern)
    await ada.post(answerPictureUpload, formWith(await picture(), {}, name))
    expect((await ada.stored()).avatarFile).toMatch(/^[\w-]{32}\.webp$/)
  })

  it.each([
    ['a plain form', 'application/x-www-form-urlencoded', 'picture=x'],
    ['no boundary', 'multipart/form-data', 'x'],
    ['a boundary that never comes', 'multipart/form-data; boundary=x', 'y'],
    ['an unfinished part', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="picture"'],
  ])('rejects %s as a form', async (_, type, body) => {
    const ada = await openAccount(postern)
    const answer = await ada.post(answerPictureUpload, body, { 'content-type': type })
    expect(answer.headers.get('location')).toContain('/error?e=')
  })

  it('ignores a text field in place of the file', async () => {
    const ada = await openAccount(postern)
    const form = new FormData()
    form.set('picture', 'text')
    expect((await ada.flashOf(await ada.post(answerPictureUpload, form), 'picture'))?.problems[0]?.code).toBe(
      'picture_empty',
    )
  })

  it.each([
    ['an upload from another site', { 'sec-fetch-site': 'cross-site' }, '/error?e='],
    ['an upload without Sec-Fetch-Site and Origin', { 'sec-fetch-site': '' }, '/error?e='],
    ['an upload without a session', { cookie: 'x=y' }, '/signin'],
    ['an upload whose declared length is too large', { 'content-length': '99999999' }, '/account/profile'],
  ])('rejects %s before it reads the body', async (_, headers, place) => {
    const ada = await openAccount(postern)
    let read = 0
    const pull = (stream: ReadableStreamDefaultController) => {
      read++
      stream.enqueue(new Uint8Array(1024))
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const answer = await ada.post(answerPictureUpload, body, {
      'content-type': 'multipart/form-data; boundary=b',
      ...headers,
    })
    expect([read, answer.headers.get('location')]).toEqual([0, expect.stringContaining(place)])
  })

  it('rejects a file that is too large beside the field, and leaves the rest unread', async () => {
    const ada = await openAccount(postern)
    const head = '--b\r\nContent-Disposition: form-data; name="picture"; filename="m.png"\r\n\r\n'
    let read = 0
    const pull = (stream: ReadableStreamDefaultController) =>
      stream.enqueue(read++ === 0 ? Buffer.from(head) : new Uint8Array(1024 * 1024))
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const answer = await ada.post(answerPictureUpload, body, { 'content-type': 'multipart/form-data; boundary=b' })
    expect((await ada.flashOf(answer, 'picture'))?.problems).toEqual([{ field: 'picture', code: 'picture_large' }])
    expect(read).toBe(7)
  })

  it('ignores a form of another site', async () => {
    const ada = await openAccount(postern)
    const before = await ada.stored()
    await ada.post(answerPictureUpload, formWith(await picture()), { 'sec-fetch-site': 'cross-site' })
    await ada.fill(answerPictureRemoval, {}, { 'sec-fetch-site': 'cross-site' })
    expect(await ada.stored()).toEqual(before)
  })
})
