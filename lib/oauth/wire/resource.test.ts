import { describe, expect, it } from 'vitest'
import { shareFlow } from '#lib/testing/browser/flow'
import {
  apiProvision,
  askingForApi,
  classic,
  encode,
  foreign,
  many,
  orders,
  type Sent,
  stock,
} from '#lib/testing/oauth/apis'
import { ask, type Outcome } from '#lib/testing/oauth/authorize'
import { requestSigner } from '#lib/testing/oauth/request-objects'
import { refusal } from '#lib/testing/oauth/tokens'

describe('an authorization request with resource', () => {
  const start = shareFlow({ provision: apiProvision })
  const errorOf = ({ returned, accepted }: Outcome) => (accepted ? 'accepted' : String(returned?.error))
  const outcomeOf = async (changed: Sent) =>
    errorOf(await ask((await start()).context, encode({ ...askingForApi, ...changed })))

  it.each<[string, Sent, string]>([
    ['the API of another team, whose sub it would learn', { resource: foreign }, 'invalid_target'],
    ['an API of the team and one of another team', { resource: [orders, foreign] }, 'invalid_target'],
    ['an unknown API', { resource: 'https://api.acme.example/unknown' }, 'invalid_target'],
    ['a relative URI (§2: "MUST be an absolute URI")', { resource: '/orders' }, 'invalid_target'],
    ['a fragment (§2: "MUST NOT include a fragment component")', { resource: `${orders}#x` }, 'invalid_target'],
    ['an empty fragment', { resource: `${orders}#` }, 'invalid_target'],
    ['an added query', { resource: `${orders}?x=1` }, 'invalid_target'],
    ['an added slash', { resource: `${orders}/` }, 'invalid_target'],
    ['another spelling of the host', { resource: 'https://API.acme.example/orders' }, 'invalid_target'],
    ['the issuer', { resource: 'http://localhost:3000' }, 'invalid_target'],
    ['userinfo', { resource: 'http://localhost:3000/userinfo' }, 'invalid_target'],
    ['a huge value', { resource: `${orders}${'x'.repeat(20_000)}` }, 'invalid_target'],
    ['a thousand values', { resource: Array.from({ length: 1000 }, (_, one) => `${orders}${one}`) }, 'invalid_target'],
    ['more than five APIs', { resource: [orders, stock, ...many] }, 'invalid_target'],
    ['an API whose algorithm the profile lacks', { resource: classic, scope: 'openid classic.read' }, 'invalid_target'],
    ['no scope of the API', { scope: 'openid name' }, 'invalid_scope'],
    ['no scope of one of two APIs', { resource: [orders, stock] }, 'invalid_scope'],
    ['only a scope that the API has not registered', { scope: 'openid orders.delete' }, 'invalid_scope'],
    ['no openid', { scope: 'orders.read' }, 'invalid_scope'],
    ['an empty value, which counts as absent', { resource: '' }, 'accepted'],
  ])('that names %s is answered with the right error', async (_name, changed, expected) => {
    expect(await outcomeOf(changed)).toBe(expected)
  })

  it('returns the error with state and iss, and the same text for unknown and foreign APIs', async () => {
    const { context } = await start()
    const [one, two] = await Promise.all(
      [foreign, 'https://unknown.example'].map((resource) => ask(context, encode({ ...askingForApi, resource }))),
    )
    expect(one?.returned).toEqual(two?.returned)
    expect(one?.returned).toMatchObject({ error: 'invalid_target', state: 'state', iss: context.config.issuer })
  })

  it('has an ASCII error_description (RFC 6749 §5.2)', async () => {
    const { returned } = await ask((await start()).context, encode({ ...askingForApi, resource: foreign }))
    expect(returned?.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  it('is a recent failure of the app for each unknown API, all of one cause', async () => {
    const { context, failures } = await start()
    for (const resource of ['https://visitor.example/1', 'https://visitor.example/2'])
      await ask(context, encode({ ...askingForApi, resource }))
    const named = async () =>
      (await failures('acme-web')).filter(({ detail, reason }) => /visitor/.test(reason + detail))
    await expect.poll(async () => JSON.stringify(await named())).toContain('https://visitor.example/2')
    expect(await named()).toHaveLength(2)
    expect(new Set((await named()).map(({ causeId }) => causeId)).size).toBe(1)
  })

  it('leaves out scopes of an API that it does not name', async () => {
    const { context } = await start()
    const { accepted } = await ask(
      context,
      encode({ ...askingForApi, scope: `${askingForApi.scope} stock.read foreign.read` }),
    )
    expect(accepted).toMatchObject({
      scopes: ['openid', 'name', 'orders.read', 'orders.write'],
      resources: [orders],
    })
  })

  it('can be pushed, with the same errors (RFC 9126 §2.1)', async () => {
    const { context, push } = await start()
    const answer = await push(
      encode({ ...askingForApi, resource: [orders, stock], scope: `${askingForApi.scope} stock.read` }),
    )
    const { request_uri } = await answer.json()
    const { accepted } = await ask(context, encode({ client_id: 'acme-web', request_uri }))
    expect(accepted).toMatchObject({ resources: [orders, stock] })
    expect(await refusal(push(encode({ ...askingForApi, resource: foreign })))).toBe('400 invalid_target')
  })

  it('can be a request object, whose resource is a text or a list of texts (RFC 9101 §4)', async () => {
    const { sign, send } = requestSigner(await start())
    const sendFor = async (resource: unknown) =>
      send('standard-app', await sign('standard-app', { resource, scope: 'openid orders.read stock.read' }))
    expect((await sendFor([orders, stock])).accepted).toMatchObject({ resources: [orders, stock] })
    expect((await sendFor(orders)).accepted).toMatchObject({ resources: [orders], scopes: ['openid', 'orders.read'] })
    for (const wrong of [[orders, 7], { orders }, [orders, [stock]]])
      expect(errorOf(await sendFor(wrong))).toBe('invalid_request_object')
    expect(errorOf(await sendFor([orders, foreign]))).toBe('invalid_target')
  })

  it('reads the APIs of the team only if it names one', async () => {
    const { context } = await start()
    const { findApis } = context.oauth.store
    let reads = 0
    context.oauth.store.findApis = (teamId) => {
      reads += 1
      return findApis(teamId)
    }
    await ask(context, encode({ ...askingForApi, resource: undefined, scope: 'openid name' }))
    expect(reads).toBe(0)
    await ask(context, encode(askingForApi))
    context.oauth.store.findApis = findApis
    expect(reads).toBe(1)
  })
})
