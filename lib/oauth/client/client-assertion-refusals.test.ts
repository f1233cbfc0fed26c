import { createSecretKey, generateKeyPairSync, KeyObject, randomUUID, sign as signBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRobot, type Robot } from '#lib/testing/browser/robot'
import { assertionForm, makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import { refusal } from '#lib/testing/oauth/tokens'
import { acme, openPostern } from '#lib/testing/process/postern'

let robot: Robot
beforeAll(async () => {
  robot = await openRobot()
})
afterAll(() => robot.close())

const unsigned = (header: object, claims: object) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')

describe('rejects an assertion when', () => {
  const wrong: [string, () => Record<string, unknown>][] = [
    ['iss is not sub', () => ({ iss: 'acme-twin' })],
    ['sub is not iss', () => ({ sub: 'acme-twin' })],
    ['it speaks of another app', () => ({ iss: 'acme-twin', sub: 'acme-twin' })],
    ['iss is missing', () => ({ iss: undefined })],
    ['sub is missing', () => ({ sub: undefined })],
    ['aud is missing', () => ({ aud: undefined })],
    ['aud is an empty list', () => ({ aud: [] })],
    ['aud is another address', () => ({ aud: 'https://elsewhere.example/token' })],
    ['aud is another endpoint', () => ({ aud: `${robot.context.config.issuer}/oauth2/revoke` })],
    ['aud has a slash too many', () => ({ aud: `${robot.context.config.issuer}/` })],
    ['aud names somebody else too', () => ({ aud: [robot.tokenEndpoint, 'https://elsewhere.example'] })],
    ['aud is no text', () => ({ aud: [[robot.tokenEndpoint]] })],
    ['aud is a list with an object', () => ({ aud: [{ toString: 1 }] })],
    ['exp has passed', () => ({ exp: robot.seconds() })],
    ['exp passed long ago', () => ({ exp: robot.seconds() - 600 })],
    ['exp is more than an hour ahead', () => ({ exp: robot.seconds() + 3601 })],
    ['exp is missing', () => ({ exp: undefined })],
    ['exp is text', () => ({ exp: String(robot.seconds() + 60) })],
    ['exp is null', () => ({ exp: null })],
    ['iat is 31 seconds ahead', () => ({ iat: robot.seconds() + 31 })],
    ['iat is missing', () => ({ iat: undefined })],
    ['iat is text', () => ({ iat: 'now' })],
    ['nbf is 31 seconds ahead', () => ({ nbf: robot.seconds() + 31 })],
    ['nbf is text', () => ({ nbf: 'now' })],
    ['jti is missing', () => ({ jti: undefined })],
    ['jti is empty', () => ({ jti: '' })],
    ['jti has 257 characters', () => ({ jti: randomUUID().padEnd(257, 'x') })],
    ['jti is a number', () => ({ jti: 1 })],
  ]
  it.each(wrong)('%s', async (_, changed) => {
    expect(await refusal(robot.ask(await robot.sign(changed())))).toBe('401 invalid_client')
  })

  it('its algorithm is none', async () => {
    const body = unsigned({ alg: 'none', kid: robot.key.kid }, robot.claims())
    for (const assertion of [`${body}.`, body, `${body}.${Buffer.alloc(64).toString('base64url')}`]) {
      expect(await refusal(robot.ask(assertion))).toBe('401 invalid_client')
    }
  })

  it('it is signed with HS256 and the public key as secret', async () => {
    const shared = createSecretKey(Buffer.from(JSON.stringify(robot.key.publicJwk)))
    const assertion = await signJwt(robot.claims(), { alg: 'HS256', kid: robot.key.kid }, shared)
    expect(await refusal(robot.ask(assertion))).toBe('401 invalid_client')
  })

  it('it is signed with RS256', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const assertion = await signJwt(robot.claims(), { alg: 'RS256', kid: robot.key.kid }, privateKey)
    expect(await refusal(robot.ask(assertion))).toBe('401 invalid_client')
  })

  it('it is signed with ES384', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const assertion = await signJwt(robot.claims(), { alg: 'ES384', kid: robot.key.kid }, privateKey)
    expect(await refusal(robot.ask(assertion))).toBe('401 invalid_client')
  })

  it('its kid is unknown, missing or no text', async () => {
    for (const kid of ['key-9', undefined, '', 1, null, ['key-1']]) {
      expect(await refusal(robot.ask(await robot.sign({}, { kid })))).toBe('401 invalid_client')
    }
  })

  it('its header has the key', async () => {
    const stranger = await makeAssertionKey('key-9')
    const assertion = await robot.sign({}, { kid: 'key-9', jwk: stranger.publicJwk }, stranger.privateKey)
    expect(await refusal(robot.ask(assertion))).toBe('401 invalid_client')
  })

  it('another key signed it under the kid of the app', async () => {
    const stranger = await makeAssertionKey('key-1')
    expect(await refusal(robot.ask(await robot.sign({}, {}, stranger.privateKey)))).toBe('401 invalid_client')
  })

  it.each([
    { crit: ['urn:x'], 'urn:x': 1 },
    { crit: ['b64'], b64: true },
    { crit: ['b64'], b64: false },
    { crit: [] },
    { crit: null },
    { b64: true },
    { b64: false },
  ])('its header names an extension: %j', async (extension) => {
    const content = unsigned({ alg: 'ES256', kid: robot.key.kid, ...extension }, robot.claims())
    const by = { key: KeyObject.from(robot.key.privateKey), dsaEncoding: 'ieee-p1363' as const }
    const signature = signBytes('sha256', Buffer.from(content), by).toString('base64url')
    expect(await refusal(robot.ask(`${content}.${signature}`))).toBe('401 invalid_client')
  })

  it('its claims were changed after signing', async () => {
    const [header, , signature] = (await robot.sign()).split('.')
    const payload = Buffer.from(JSON.stringify(robot.claims())).toString('base64url')
    expect(await refusal(robot.ask(`${header}.${payload}.${signature}`))).toBe('401 invalid_client')
  })

  it.each(['', 'x', 'a.b.c', '..', 'eyJhbGciOiJFUzI1NiJ9..', `${'x'.repeat(20_000)}`])(
    'it is junk: %.20s',
    async (junk) => {
      expect(await refusal(robot.ask(junk))).toBe('401 invalid_client')
    },
  )

  it('the form names another client, or its sub names none', async () => {
    expect(await refusal(robot.ask(await robot.sign(), { client_id: 'acme-twin' }))).toBe('401 invalid_client')
    for (const sub of ['nobody', 'a\0b', '\ud800', 7, undefined]) {
      expect(await refusal(robot.ask(await robot.sign({ iss: sub, sub }), { client_id: undefined }))).toBe(
        '401 invalid_client',
      )
    }
  })

  it('client_assertion_type is wrong, missing or alone', async () => {
    for (const type of [undefined, '', 'jwt-bearer', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer']) {
      expect(await refusal(robot.ask(await robot.sign(), { client_assertion_type: type }))).toBe('401 invalid_client')
    }
    expect(await refusal(robot.ask(await robot.sign(), { client_assertion: undefined }))).toBe('401 invalid_client')
  })

  it('its algorithm is unknown, with one reason for all names', async () => {
    for (let n = 0; n < 5; n++) {
      const assertion = unsigned({ alg: `\0 made up ${n}`, kid: robot.key.kid }, robot.claims())
      expect(await refusal(robot.ask(`${assertion}.x`))).toBe('401 invalid_client')
    }
    const madeUp = async () => (await robot.failures(robot.id)).filter(({ detail }) => detail.includes('made up'))
    await expect.poll(async () => (await madeUp()).length).toBe(5)
    expect(new Set((await madeUp()).map(({ reason }) => reason))).toEqual(
      new Set(['the assertion is not signed with ES256']),
    )
  })

  it('the app is registered for another method', async () => {
    const own = await openPostern({ provision: { teams: acme.teams } })
    try {
      const form = { token: 'x', ...assertionForm(await robot.sign({ iss: 'acme-web', sub: 'acme-web' }), 'acme-web') }
      expect(await refusal(own.revoke(form, {}))).toBe('401 invalid_client')
    } finally {
      await own.close()
    }
  })
})
