import { expect, it } from 'vitest'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { basic, callback, secret, verifier } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'
import { appMessage, openRelayTest } from '#lib/testing/relay/relay'

const postern = sharePostern({})

/** Returns what a step adds to the counts of the app acme-web. */
async function countedBy(step: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async () => {
    await postern.context.usageWriter.flush()
    const rows = await postern.context.appUsage.read('acme-web', new Date(0))
    return new Map(rows.map(({ what, count }) => [what, count]))
  }
  const before = await read()
  await step()
  const after = [...(await read())].map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const)
  return Object.fromEntries(after.filter(([, count]) => count > 0))
}

const refresh = (token: string) => postern.token({ grant_type: 'refresh_token', refresh_token: token })

it('counts a sign-in, its scopes, and what the request shows', async () => {
  const nonce = 'n'.repeat(4)
  expect(await countedBy(() => getTokens(postern, { nonce, scopes: ['openid', 'name'] }))).toEqual({
    sign_ins: 1,
    pkce: 1,
    'state weak': 1,
    'nonce weak': 1,
    'scope openid': 1,
    'scope name': 1,
    'auth client_secret_basic': 1,
  })
})

it('counts a constant nonce as repeated', async () => {
  const nonce = 'always-the-same-nonce-of-thirty-two'
  await getTokens(postern, { nonce })
  expect(await countedBy(() => getTokens(postern, { nonce }))).toMatchObject({ 'nonce repeated': 1 })
})

it('counts nothing when a request is completed a second time', async () => {
  const approval = { requestId: 'twice', sessionId: undefined }
  await postern.approve(approval as object)
  const counted = await countedBy(() => postern.approve(approval as object))
  expect(counted).toEqual({})
})

it('counts refreshes: early ones, repeated ones and replays', async () => {
  const first = await getTokens(postern)
  let second = { refresh_token: '' }
  expect(
    await countedBy(async () => {
      second = await (await refresh(first.refresh_token)).json()
    }),
  ).toMatchObject({ refreshes: 1, early_refreshes: 1 })
  expect(await countedBy(() => refresh(first.refresh_token))).toMatchObject({ repeated_refreshes: 1, refreshes: 1 })
  postern.later(postern.context.oauth.lifetimes.accessToken)
  const late = await countedBy(() => refresh(second.refresh_token))
  expect(late).toMatchObject({ refreshes: 1 })
  expect(late).not.toHaveProperty('early_refreshes')
  postern.later(postern.context.oauth.lifetimes.refreshRetry + 1)
  expect(await countedBy(() => refresh(first.refresh_token))).toMatchObject({ replayed_refreshes: 1, failures: 1 })
})

it('counts a failure, and no failure of an unknown app', async () => {
  const wrong = { grant_type: 'authorization_code', code: 'x', redirect_uri: callback, code_verifier: verifier }
  expect(await countedBy(() => postern.token(wrong, basic))).toMatchObject({ failures: 1 })
  expect(await countedBy(() => postern.token({ ...wrong, client_id: 'nobody' }, {}))).toEqual({})
})

it('stores the last use of the secret that was used, to the hour', async () => {
  const { prisma } = postern.context.database
  const now = postern.context.now().getTime()
  await getTokens(postern)
  await postern.context.usageWriter.flush()
  const [used] = await prisma.appSecret.findMany({ where: { appId: 'acme-web' } })
  expect(used?.lastUsedAt).toEqual(new Date(now - (now % 3_600_000)))
  const [unused] = await prisma.appSecret.findMany({ where: { appId: 'other-web' } })
  expect(unused?.lastUsedAt).toBeNull()
})

it('keeps no state, no nonce and no secret', async () => {
  const nonce = 'a-nonce-that-nothing-may-store'
  await getTokens(postern, { nonce })
  await postern.context.usageWriter.flush()
  const rows = JSON.stringify(await postern.context.database.prisma.appUsage.findMany())
  expect(rows).not.toContain(nonce)
  expect(rows).not.toContain(secret)
})

it('counts mail to a relay address under its app', async () => {
  const { send, alias, context } = await openRelayTest()
  await send({ message: appMessage(alias) })
  await send({ from: 'news@evil.example', message: appMessage(alias, { from: 'News <news@evil.example>' }) })
  await context.usageWriter.flush()
  const rows = await context.appUsage.read('acme-web', new Date(0))
  const mail = rows.filter(({ what }) => ['forwarded', 'blocked', 'replied'].includes(what))
  expect(mail.map(({ what, count }) => [what, count])).toEqual([
    ['blocked', 1],
    ['forwarded', 1],
  ])
})
