import { describe, expect, it } from 'vitest'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { flowProvision, startFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { ask, asking } from '#lib/testing/oauth/authorize'
import { asBrowser } from '#lib/testing/oauth/get-tokens'
import { basicAuth, openPostern, secret } from '#lib/testing/process/postern'

const { client_id: _, ...parameters } = asking
const at = (uri: string) => `client_id=acme-web&request_uri=${uri}`

async function setUp(kind?: (typeof kinds)[number]) {
  const postern = await openPostern({ ...(kind && { kind }), provision: flowProvision })
  const push = async () => (await (await postern.push({ ...parameters })).json()).request_uri as string
  return { ...startFlow(postern), postern, push }
}

it('survives a reload before the sign-in, and ends with the code (RFC 9126 §4, §7.3)', async () => {
  const { browser, tokens, push, postern } = await setUp()
  const uri = await push()
  expect((await browser.authorize(at(uri))).url.pathname).toBe('/signin')
  const back = await browser.decide(await browser.signIn(await browser.authorize(at(uri))))
  expect(back.parameters).toMatchObject({ state: 'state', iss: postern.context.config.issuer })
  const again = async () => browser.problemOn(await browser.authorize(at(uri)))
  expect(await again()).toMatchObject({ kind: 'bad_request_uri' })
  expect(await tokens(back)).toHaveProperty('access_token')
  expect(await again()).toMatchObject({ kind: 'bad_request_uri' })
  await postern.close()
})

it('ends when the person cancels, before the sign-in or on the consent page (RFC 9126 §4)', async () => {
  const { browser, push, postern, prisma } = await setUp()
  const uri = await push()
  const { request } = (await browser.authorize(at(uri))).parameters
  const refused = await browser.post('/signin/submit', { request, action: 'cancel' })
  expect(refused.parameters).toMatchObject({ error: 'access_denied', state: 'state' })
  expect(await browser.problemOn(await browser.authorize(at(uri)))).toMatchObject({ kind: 'bad_request_uri' })
  const other = await push()
  const next = await push()
  const asked = await browser.signIn(await browser.authorize(at(other)))
  expect((await browser.decide(asked, { action: 'cancel' })).parameters).toMatchObject({ error: 'access_denied' })
  expect(await browser.problemOn(await browser.authorize(at(other)))).toMatchObject({ kind: 'bad_request_uri' })
  expect(await prisma.pushedRequest.count()).toBe(1)
  expect((await browser.authorize(at(next))).url.pathname).toBe('/consent')
  await postern.close()
})

it.each([
  ['a state of 4,096 characters and a nonce of 512', { state: 's'.repeat(4096), nonce: 'n'.repeat(512) }],
  ['a state of 8,192 bytes and a nonce of 512', { state: '"'.repeat(4096), nonce: 'n'.repeat(512) }],
  ['a state whose characters need six bytes each', { state: '\u0001'.repeat(1360) }],
])('is accepted by the authorization endpoint if its push was: %s', async (_name, changed) => {
  const { context, postern } = await setUp()
  const pushed = await postern.push({ ...parameters, ...changed })
  expect(pushed.status).toBe(201)
  const { accepted } = await ask(context, at((await pushed.json()).request_uri))
  expect(accepted).toMatchObject(changed)
  await postern.close()
})

it('is not given for a request that is too large for the browser', async () => {
  const { postern } = await setUp()
  const answer = await postern.push({ ...parameters, state: '\u0001'.repeat(1360), nonce: '\u0001'.repeat(512) })
  expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_request'])
  await postern.close()
})

describe.each(kinds)('a request_uri on %s', (kind) => {
  it('completes once when eight sessions complete it at once (RFC 9126 §7.3)', async () => {
    const { context, approve, push, postern, prisma } = await setUp(kind)
    const uri = await push()
    const opened = await Promise.all(Array.from({ length: 8 }, async () => (await ask(context, at(uri))).accepted?.id))
    expect(new Set(opened).size).toBe(1)
    const requestId = opened[0] as string
    // The first approval stores subject and consent, so that the eight further approvals race only to complete the
    // request.
    await approve()
    const ends = await Promise.allSettled(opened.map((_id, one) => approve({ requestId, sessionId: `session-${one}` })))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await prisma.authorization.count({ where: { requestId } })).toBe(1)
    expect((await ask(context, at(uri))).shown).toMatchObject({ kind: 'bad_request_uri' })
    await postern.close()
  })

  it('is a new one for each of eight pushes at once, and is swept once it expired', async () => {
    const { context, push, later, postern, prisma } = await setUp(kind)
    expect(new Set(await Promise.all(Array.from({ length: 8 }, push))).size).toBe(8)
    const sweep = sweeps(context.database).find(({ table }) => table === 'PushedRequest')
    await sweep?.run(context.now(), 100)
    expect(await prisma.pushedRequest.count()).toBe(8)
    later(91)
    await sweep?.run(context.now(), 100)
    expect(await prisma.pushedRequest.count()).toBe(0)
    await postern.close()
  })
})

describe('an app that pushes without authentication', () => {
  it('is limited for each address and app, and answered 429 with Retry-After (RFC 9126 §2.3)', async () => {
    const { postern } = await setUp()
    const push = (changed: Record<string, string>, headers: Record<string, string>) =>
      postern.push({ ...parameters, ...changed }, headers)
    const from = (address: string) => ({ 'x-postern-client': address })
    const statuses = new Map<number, number>()
    for (let left = 302; left > 0; left--) {
      const { status } = await push(asBrowser, from('192.0.2.77'))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [201, 300],
      [429, 2],
    ])
    const answer = await push(asBrowser, from('192.0.2.77'))
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await push(asBrowser, from('198.51.100.7'))).status).toBe(201)
    expect(
      (await push({ client_id: 'acme-native', redirect_uri: 'http://127.0.0.1:9000/callback' }, from('192.0.2.77')))
        .status,
    ).toBe(201)
    expect((await push({}, { ...basicAuth('acme-web', secret), ...from('192.0.2.77') })).status).toBe(201)
    await postern.close()
  })
})
