import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, inject, it } from 'vitest'
import { explain } from '#lib/cli/explain'
import { runCommandLine } from '#lib/cli/run'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerPicture } from './serve-picture.ts'

const postern = sharePostern()

/** Gives ada a picture, as an operator does; returns the file's name. */
async function setAvatar(background = 'red'): Promise<string> {
  const file = join(inject('temporaryFolder'), randomBytes(8).toString('hex'))
  await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toFile(file)
  const said = { stdout: '', stderr: '' }
  const status = await runCommandLine(['user', 'avatar', 'Ada', file, '--json'], {
    env: postern.settings,
    now: new Date(),
    random: randomBytes,
    resolver: postern.context.resolver,
    readStdin: async () => Buffer.alloc(0),
    stdout: (text) => (said.stdout += text),
    stderr: (text) => (said.stderr += text),
    isTerminal: false,
  }).catch((fault: unknown) => explain(fault))
  expect({ status, ...said }).toMatchObject({ status: 0 })
  return JSON.parse(said.stdout).file
}

const get = (path: string) => answerPicture(postern.context, new Request(`http://localhost:3000/avatars/${path}`))

it.each([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
])(
  'serves a stored .%s unchanged, with its media type, without authentication, to any origin',
  async (extension, mediaType) => {
    const [file, bytes] = [`${randomBytes(24).toString('base64url')}.${extension}`, new Uint8Array(randomBytes(64))]
    await postern.context.database.prisma.picture.create({ data: { file, mediaType, bytes, createdAt: new Date() } })
    const answer = await get(file)
    expect(answer.status).toBe(200)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    expect(answer.headers.get('content-type')).toBe(mediaType)
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.getSetCookie()).toEqual([])
  },
)

it('returns the address in userinfo, and 404 for the old one after a change', async () => {
  const [before, after] = [await setAvatar('red'), await setAvatar('blue')]
  expect(after).not.toBe(before)
  const form = { grant_type: 'authorization_code', code: await postern.approve({ scopes: ['openid', 'picture'] }) }
  const exchanged = await postern.token({
    ...form,
    redirect_uri: 'https://acme.example/callback',
    code_verifier: 'v'.repeat(43),
  })
  const claims = await (await postern.userinfo((await exchanged.json()).access_token)).json()
  expect(claims.picture).toBe(`http://localhost:3000/avatars/${after}`)
  expect([(await get(before)).status, (await get(after)).status]).toEqual([404, 200])
})

it.each([
  '',
  'x.png',
  `${'a'.repeat(32)}.png`,
  `${'a'.repeat(32)}.svg`,
  `${'a'.repeat(32)}.html`,
  `${'a'.repeat(65)}.png`,
  '..%2f..%2fetc%2fpasswd',
  '../oauth2/jwks',
  '%00.png',
  `${'a'.repeat(32)}.png%00`,
  `${'a'.repeat(32)}.png/`,
  `${'a'.repeat(32)}.PNG`,
  `${'%61'.repeat(16)}.png`,
  "' OR 1=1 --.png",
  '%ff%fe.png',
  '__proto__.png',
])('answers 404 for %j, and forbids caching it', async (name) => {
  const answer = await get(name)
  expect(answer.status).toBe(404)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

it('answers 404 for a name in another case', async () => {
  const file = await setAvatar()
  const swapped = file.replace(/[a-z]/i, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  )
  expect((await get(swapped)).status).toBe(404)
  expect((await get(`${file}?x=1`)).status).toBe(200)
})
