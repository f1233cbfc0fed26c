import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRobot, type Robot } from '#lib/testing/browser/robot'
import { kinds } from '#lib/testing/databases/databases'
import { assertionForm, makeAssertionKey } from '#lib/testing/oauth/assertions'
import { refusal } from '#lib/testing/oauth/tokens'
import { callback, verifier } from '#lib/testing/process/postern'

let robot: Robot
beforeAll(async () => {
  robot = await openRobot()
})
afterAll(() => robot.close())

describe('a valid assertion', () => {
  it('authenticates the client', async () => {
    expect((await robot.ask(await robot.sign())).status).toBe(200)
  })

  it('authenticates an exchange, a refresh, an introspection and a revocation, with a new one each time', async () => {
    const send = { 'x-postern-client': randomUUID() }
    const fresh = async () => assertionForm(await robot.sign(), robot.id)
    const code = await robot.approve({ clientId: robot.id })
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    const first = await (await robot.token({ ...exchange, ...(await fresh()) }, send)).json()
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const second = await (await robot.token({ ...refresh, ...(await fresh()) }, send)).json()
    const token = second.access_token
    const seen = async () => (await robot.introspect({ token, ...(await fresh()) }, send)).json()
    expect(await seen()).toMatchObject({ active: true, client_id: robot.id })
    expect((await robot.revoke({ token, ...(await fresh()) }, send)).status).toBe(200)
    expect(await seen()).toEqual({ active: false })
  })

  it('names its client by sub when the form has no client_id', async () => {
    expect((await robot.ask(await robot.sign(), { client_id: undefined })).status).toBe(200)
    expect((await robot.ask(await robot.sign(), { client_id: '' })).status).toBe(200)
  })

  const good: [string, () => Record<string, unknown>][] = [
    ['names the token endpoint', () => ({ aud: robot.tokenEndpoint })],
    ['names the issuer', () => ({ aud: robot.context.config.issuer })],
    ['names the token endpoint in a list', () => ({ aud: [robot.tokenEndpoint] })],
    ['names both in a list', () => ({ aud: [robot.context.config.issuer, robot.tokenEndpoint] })],
    ['expires in exactly an hour', () => ({ exp: robot.seconds() + 3600 })],
    ['expires in a second', () => ({ exp: robot.seconds() + 1 })],
    ['was issued 29 seconds ahead', () => ({ iat: robot.seconds() + 29 })],
    ['was issued 30 seconds ahead', () => ({ iat: robot.seconds() + 30 })],
    ['begins 29 seconds ahead', () => ({ nbf: robot.seconds() + 29 })],
    ['has a jti of one character', () => ({ jti: randomUUID().slice(0, 1) })],
    ['has a jti of 256 characters', () => ({ jti: randomUUID().padEnd(256, 'x') })],
    ['has claims of its own', () => ({ purpose: 'whatever' })],
  ]
  it.each(good)('authenticates the client when it %s', async (_, changed) => {
    expect((await robot.ask(await robot.sign(changed()))).status).toBe(200)
  })

  it('is accepted with any registered key of the app', async () => {
    const second = await makeAssertionKey('key-2')
    const { prisma } = robot.context.database
    const { id: _, ...like } = await prisma.app.findUniqueOrThrow({ where: { id: robot.id } })
    await prisma.app.create({ data: { ...like, id: 'two-keys' } })
    for (const { kid, publicJwk } of [robot.key, second]) {
      await prisma.appKey.create({
        data: { appId: 'two-keys', kid, jwk: JSON.stringify(publicJwk), createdAt: new Date() },
      })
    }
    for (const { kid, privateKey } of [robot.key, second]) {
      const assertion = await robot.sign({ iss: 'two-keys', sub: 'two-keys' }, { kid }, privateKey)
      expect((await robot.ask(assertion, { client_id: 'two-keys' })).status).toBe(200)
    }
  })
})

describe('a jti', () => {
  it('is accepted once, also in another assertion, at another endpoint, and after the first one has expired', async () => {
    const jti = randomUUID()
    const assertion = await robot.sign({ jti })
    expect((await robot.ask(assertion)).status).toBe(200)
    expect(await refusal(robot.ask(assertion))).toBe('401 invalid_client')
    expect(await refusal(robot.ask(await robot.sign({ jti, exp: robot.seconds() + 60 })))).toBe('401 invalid_client')
    const form = { token: 'x', ...assertionForm(await robot.sign({ jti }), robot.id) }
    expect(await refusal(robot.introspect(form, {}))).toBe('401 invalid_client')
    robot.later(30)
    expect(await refusal(robot.ask(await robot.sign({ jti })))).toBe('401 invalid_client')
  })

  it('is not used up by a rejected assertion', async () => {
    const jti = randomUUID()
    const stranger = await makeAssertionKey('key-1')
    const refused = [
      await robot.sign({ jti }, {}, stranger.privateKey),
      await robot.sign({ jti, aud: 'https://elsewhere.example' }),
      await robot.sign({ jti, exp: robot.seconds() - 1 }),
      await robot.sign({ jti, iat: robot.seconds() + 31 }),
      await robot.sign({ jti, iss: 'acme-twin' }),
    ]
    for (const assertion of refused) expect(await refusal(robot.ask(assertion))).toBe('401 invalid_client')
    expect((await robot.ask(await robot.sign({ jti }))).status).toBe(200)
  })

  it('does not block the same jti of another client', async () => {
    const jti = randomUUID()
    expect((await robot.ask(await robot.sign({ jti }))).status).toBe(200)
    const twin = await robot.sign({ jti, iss: 'acme-twin', sub: 'acme-twin' })
    expect((await robot.ask(twin, { client_id: 'acme-twin' })).status).toBe(200)
  })

  it('is stored until a minute after the assertion expires', async () => {
    const before = new Set((await usedAssertions()).map(({ id }) => id))
    const exp = robot.seconds() + 100
    await robot.ask(await robot.sign({ exp }))
    const [used] = (await usedAssertions()).filter(({ id }) => !before.has(id))
    expect(used?.expiresAt).toEqual(new Date((exp + 60) * 1000))
  })

  const usedAssertions = () => robot.context.database.prisma.usedAssertion.findMany()
})

it.each(kinds)('accepts one of eight concurrent copies of an assertion, on %s', async (kind) => {
  const own = await openRobot({ kind })
  try {
    for (let round = 0; round < 5; round++) {
      const form = { token: 'x', ...assertionForm(await own.sign(), own.id) }
      const answers = await Promise.all(Array.from({ length: 8 }, () => own.revoke(form, {})))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
    }
  } finally {
    await own.close()
  }
})
