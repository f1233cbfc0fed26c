import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginEpoch } from '#lib/db/restore/begin-epoch'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import { openRobot, type Robot } from '#lib/testing/browser/robot'
import { kinds } from '#lib/testing/databases/databases'
import { assertionForm } from '#lib/testing/oauth/assertions'
import { ask } from '#lib/testing/oauth/authorize'
import { makeProofPair, type ProofPair, signProof } from '#lib/testing/oauth/proofs'
import { refusal } from '#lib/testing/oauth/tokens'
import { callback, verifier } from '#lib/testing/process/postern'

describe.each(kinds)('an app of profile fapi2 on %s', (kind) => {
  let robot: Robot
  let pair: ProofPair
  beforeAll(async () => {
    robot = await openRobot({ kind, env: { CODE_SECONDS: '600' } })
    pair = await makeProofPair()
    await robot.context.database.prisma.app.updateMany({ data: { profile: 'fapi2' } })
  })
  afterAll(() => robot.close())

  const token = async (form: Record<string, string>) => {
    const assertion = await robot.sign({ aud: robot.context.config.issuer })
    return robot.token({ ...form, ...assertionForm(assertion, robot.id) }, await headers())
  }
  const headers = async () => ({
    'x-postern-client': randomUUID(),
    dpop: await signProof(pair, robot.tokenEndpoint, { at: robot.clock.now }),
  })
  const userinfo = async (accessToken: string) => {
    const address = `${robot.context.config.issuer}/userinfo`
    const dpop = await signProof(pair, address, { method: 'GET', accessToken, at: robot.clock.now })
    const request = new Request(address, { headers: { authorization: `DPoP ${accessToken}`, dpop } })
    return answerUserinfo(robot.context.oauth, request)
  }
  const exchange = (code: string) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier })
  const refresh = (refresh_token: string, more = {}) => token({ grant_type: 'refresh_token', refresh_token, ...more })
  const approve = () => robot.approve({ clientId: robot.id, scopes: ['openid', 'name'] })
  const refreshToken = async (): Promise<string> => (await (await exchange(await approve())).json()).refresh_token
  const rowOf = (refresh_token: string) =>
    robot.context.database.prisma.authorization.findUniqueOrThrow({ where: { id: refresh_token.slice(3, 25) } })

  it('gets a code that lives a minute, whatever CODE_SECONDS says (§5.3.2.1 "a maximum lifetime of 60 seconds")', async () => {
    const inTime = await approve()
    const { codeExpiresAt, createdAt } = await robot.context.database.prisma.authorization.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    })
    expect(codeExpiresAt.getTime() - createdAt.getTime()).toBe(60_000)
    expect((await exchange(inTime)).status).toBe(200)
    const late = await approve()
    robot.later(60)
    expect(await refusal(exchange(late))).toBe('400 invalid_grant')
  })

  it('gets the same refresh token at every refresh (§5.3.2.1 "shall not use refresh token rotation")', async () => {
    const first = await refreshToken()
    for (let n = 0; n < 3; n++) {
      const { refresh_token, access_token } = await (await refresh(first)).json()
      expect(refresh_token).toBe(first)
      expect((await userinfo(access_token)).status).toBe(200)
    }
  })

  it('needs a DPoP proof to exchange a code and to refresh (§5.3.2.1 "shall only issue sender-constrained access tokens")', async () => {
    const bare = async (form: Record<string, string>) =>
      robot.token({ ...form, ...assertionForm(await robot.sign({ aud: robot.context.config.issuer }), robot.id) }, {})
    const exchange = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier }
    expect(await refusal(bare({ ...exchange, code: await approve() }))).toBe('400 invalid_request')
    const first = await refreshToken()
    expect(await refusal(bare({ grant_type: 'refresh_token', refresh_token: first }))).toBe('400 invalid_request')
    const { token_type } = await (await refresh(first)).json()
    expect(token_type).toBe('DPoP')
  })

  it('may refresh eight times at once', async () => {
    const first = await refreshToken()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(first)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const tokens = await Promise.all(answers.map(async (answer) => (await answer.json()).refresh_token))
    expect(new Set(tokens)).toEqual(new Set([first]))
  })

  it('restarts the idle time of its refresh token by each refresh, and never its end', async () => {
    const first = await refreshToken()
    const before = await rowOf(first)
    robot.later(3600)
    await refresh(first)
    const after = await rowOf(first)
    const { refreshIdle } = robot.context.config.lifetimes
    expect(after.refreshIdleUntil).toEqual(new Date(robot.clock.now.getTime() + refreshIdle * 1000))
    expect([after.refreshUntil, after.rotatedAt]).toEqual([before.refreshUntil, null])
    const past = new Date(Date.now() - 1000)
    await robot.context.database.prisma.authorization.update({ where: { id: after.id }, data: { refreshUntil: past } })
    robot.clock.now = new Date()
    expect(await refusal(refresh(first))).toBe('400 invalid_grant')
  })

  it('loses a revoked refresh token, also in a race with eight refreshes', async () => {
    const first = await refreshToken()
    const revoke = async () =>
      robot.revoke(
        { token: first, ...assertionForm(await robot.sign({ aud: robot.context.config.issuer }), robot.id) },
        { 'x-postern-client': randomUUID() },
      )
    await Promise.all([...Array.from({ length: 8 }, () => refresh(first)), revoke()])
    expect(await refusal(refresh(first))).toBe('400 invalid_grant')
  })

  it('changes nothing by a refresh with a wider scope', async () => {
    const first = await refreshToken()
    const before = await rowOf(first)
    robot.later(10)
    expect(await refusal(refresh(first, { scope: 'openid email' }))).toBe('400 invalid_scope')
    expect(await rowOf(first)).toEqual(before)
  })

  it('may not use a refresh token of another app', async () => {
    const first = await refreshToken()
    const assertion = await robot.sign({ aud: robot.context.config.issuer, iss: 'acme-twin', sub: 'acme-twin' })
    const form = { grant_type: 'refresh_token', refresh_token: first, ...assertionForm(assertion, 'acme-twin') }
    expect(await refusal(robot.token(form, await headers()))).toBe('400 invalid_grant')
    expect((await refresh(first)).status).toBe(200)
  })

  it('keeps the token of the rotation that happened before the app became fapi2', async () => {
    const { prisma } = robot.context.database
    const first = await refreshToken()
    const row = await rowOf(first)
    const previous = { refreshHash: 'other', previousRefreshHash: row.refreshHash, rotatedAt: new Date(0) }
    await prisma.authorization.update({ where: { id: row.id }, data: previous })
    expect(await refusal(refresh(first))).toBe('400 invalid_grant')
    expect((await rowOf(first)).revokedAt).not.toBeNull()
  })

  it('reads iss in every answer (RFC 9207 §2; §5.3.2.2 "shall return an iss parameter")', async () => {
    const asked = { client_id: robot.id, redirect_uri: callback, scope: 'openid', code_challenge: undefined }
    const { returned } = await ask(robot.context, asked)
    expect(returned).toMatchObject({ error: 'invalid_request', iss: robot.context.config.issuer })
  })

  // The last test: a restore ends what the others approved.
  it('keeps its refresh token after a restore (decision 0057)', async () => {
    const { prisma } = robot.context.database
    const first = await refreshToken()
    const restoredAt = robot.clock.now
    const until = new Date(restoredAt.getTime() + 86_400_000)
    await beginEpoch(prisma, { id: randomUUID(), backupAt: restoredAt, restoredAt, until })
    robot.later(2)
    for (let n = 0; n < 2; n++) expect((await (await refresh(first)).json()).refresh_token).toBe(first)
    expect((await rowOf(first)).revokedAt).toBeNull()
  })
})
