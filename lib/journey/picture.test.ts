import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { explain } from '../cli/explain.ts'
import { runCommandLine } from '../cli/run.ts'
import { openPostern, type Postern } from '../testing/postern.ts'
import { answerPicture } from './picture.ts'

let postern: Postern
beforeAll(async () => {
  postern = await openPostern()
})
afterAll(() => postern.close())

const pictures = {
  'image/png': Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(64)]),
  'image/jpeg': Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(64)]),
  'image/webp': Buffer.concat([Buffer.from('RIFF\x40\0\0\0WEBP', 'latin1'), randomBytes(64)]),
}

/** Gives ada a picture, as an operator does; answers the file's name. */
async function setAvatar(bytes: Buffer): Promise<string> {
  const file = join(inject('temporaryFolder'), randomBytes(8).toString('hex'))
  writeFileSync(file, bytes)
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

describe.each(Object.entries(pictures))('an avatar of type %s', (type, bytes) => {
  test('is served as it was given, with its type, to anybody and any page', async () => {
    const answer = await get(await setAvatar(bytes))
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

test('the address is in userinfo, and the old one is gone after a change', async () => {
  const [before, after] = [await setAvatar(pictures['image/png']), await setAvatar(pictures['image/jpeg'])]
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
  expect(await postern.context.database.prisma.picture.count()).toBe(1)
})

test.each([
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
])('the name %j is 404, and nobody keeps that', async (name) => {
  const answer = await get(name)
  expect(answer.status).toBe(404)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('the right name in other letters is not the name', async () => {
  const file = await setAvatar(pictures['image/png'])
  const swapped = file.replace(/[a-z]/i, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  )
  expect((await get(swapped)).status).toBe(404)
  expect((await get(`${file}?x=1`)).status).toBe(200)
})
