import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRobot, type Robot } from '#lib/testing/browser/robot'
import { assertionForm, makeAssertionKey } from '#lib/testing/oauth/assertions'
import { acme, basicAuth, callback, openPostern, type Postern, secret } from '#lib/testing/process/postern'

const app = {
  kind: 'confidential',
  profile: 'oidc',
  client_secret: secret,
  redirect_uris: [callback],
  scopes: ['openid'],
}
const post = { ...app, client_id: 'posting', name: 'Posting', token_endpoint_auth_method: 'client_secret_post' }

let robot: Robot
let postern: Postern
beforeAll(async () => {
  const teams = [...acme.teams, { id: 'posters', name: 'Posters', apps: [post] }]
  ;[robot, postern] = await Promise.all([openRobot(), openPostern({ provision: { ...acme, teams } })])
})
afterAll(() => Promise.all([robot.close(), postern.close()]))

type Form = Record<string, string | undefined>
type Claims = Record<string, unknown>

/** Revokes an unknown token, each time from another address, and returns the error. */
async function errorOf(server: Pick<Postern, 'revoke'>, form: Form, headers: Record<string, string> = {}) {
  const answer = await server.revoke({ token: 'x', ...form }, { 'x-postern-client': randomUUID(), ...headers })
  return answer.status === 200 ? 'accepted' : `${answer.status} ${(await answer.json()).error_description}`
}

describe('a refused secret (RFC 6749 §5.2: error_description for the developer)', () => {
  const failed = '401 Client authentication failed.'

  it.each(['acme-web', 'acme-spa', 'posting', 'unknown'])(
    'in the form names the method, also for the app %s',
    async (client_id) => {
      const text = `${failed} Send client_secret as HTTP Basic unless client_secret_post is registered.`
      expect(await errorOf(postern, { client_id, client_secret: 'a wrong secret' })).toBe(text)
    },
  )

  it('in the form has this text also if it is right, and the method is not registered', async () => {
    const text = `${failed} Send client_secret as HTTP Basic unless client_secret_post is registered.`
    expect(await errorOf(postern, { client_id: 'acme-web', client_secret: secret })).toBe(text)
    expect(await errorOf(postern, { client_id: 'posting', client_secret: secret })).toBe('accepted')
  })

  it.each(['acme-web', 'acme-spa', 'posting', 'unknown'])(
    'by HTTP Basic has one text, also for the app %s',
    async (id) => {
      const text = `${failed} Check the client_id, the credentials and the authentication method.`
      expect(await errorOf(postern, {}, basicAuth(id, 'a wrong secret'))).toBe(text)
    },
  )

  it.each(['acme-web', 'posting', 'unknown'])('that is missing is named, also for the app %s', async (client_id) => {
    const text = `${failed} Send client_secret as HTTP Basic or a client_assertion, unless the app is public.`
    expect(await errorOf(postern, { client_id })).toBe(text)
  })
})

describe('a mistake in an assertion is named alike for a known and an unknown app, and for any signer', () => {
  const mistakes: [string, () => Claims, Claims, string][] = [
    ['no kid', () => ({}), { kid: undefined }, 'The assertion has no kid.'],
    ['an iat 90 seconds ahead', () => ({ iat: robot.seconds() + 90 }), {}, "The assertion's clock is 90 s off."],
    ['an nbf 31 seconds ahead', () => ({ nbf: robot.seconds() + 31 }), {}, "The assertion's clock is 31 s off."],
    ['an exp that has passed', () => ({ exp: robot.seconds() - 7 }), {}, 'The assertion expired 7 s ago.'],
    ['no exp', () => ({ exp: undefined }), {}, 'The assertion has no exp.'],
    [
      'an exp two hours ahead',
      () => ({ exp: robot.seconds() + 7200 }),
      {},
      'The exp of the assertion is more than an hour ahead.',
    ],
    ['no iat', () => ({ iat: undefined }), {}, 'The assertion has no iat.'],
    ['no jti', () => ({ jti: undefined }), {}, 'The jti of the assertion must have 1 to 256 characters.'],
    ['another iss', () => ({ iss: 'other' }), {}, 'The iss and sub of the assertion must be the client_id.'],
  ]
  it.each(mistakes)('%s', async (_, changed, header, expected) => {
    const stranger = await makeAssertionKey('key-1')
    for (const id of [robot.id, 'unknown'])
      for (const key of [robot.key.privateKey, stranger.privateKey]) {
        const assertion = await robot.sign({ iss: id, sub: id, ...changed() }, header, key)
        expect(await errorOf(robot, assertionForm(assertion, id))).toBe(`401 ${expected}`)
      }
  })

  it('but not which part of the credentials is wrong: kid, signature, audience and a used jti have one text', async () => {
    const stranger = await makeAssertionKey('key-1')
    const used = await robot.sign()
    expect(await errorOf(robot, assertionForm(used, robot.id))).toBe('accepted')
    const text = '401 Client authentication failed. Check the client_id, the credentials and the authentication method.'
    for (const assertion of [
      used,
      await robot.sign({}, { kid: 'key-9' }),
      await robot.sign({}, {}, stranger.privateKey),
      await robot.sign({ aud: 'https://elsewhere.example' }),
    ])
      expect(await errorOf(robot, assertionForm(assertion, robot.id))).toBe(text)
    const unknown = await robot.sign({ iss: 'unknown', sub: 'unknown' })
    expect(await errorOf(robot, assertionForm(unknown, 'unknown'))).toBe(text)
  })

  it('in the recent failures of the app too, once for each kind of mistake', async () => {
    for (const ahead of [100, 200]) {
      const assertion = await robot.sign({ iat: robot.seconds() + ahead })
      await errorOf(robot, assertionForm(assertion, robot.id))
    }
    const reason = 'the assertion is from the future'
    const found = async () => (await robot.failures(robot.id)).filter((failure) => failure.reason === reason)
    await expect.poll(async () => (await found()).map(({ endpoint }) => endpoint)).toEqual(['revoke'])
  })
})
