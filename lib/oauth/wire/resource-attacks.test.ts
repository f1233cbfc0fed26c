import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { apiProvision, askingForApi, encode, foreign, orders } from '#lib/testing/oauth/apis'
import { basicAuth, callback, secret, verifier } from '#lib/testing/process/postern'

const many = 200
const [acme, ...others] = apiProvision.teams
const odd = {
  identifier: 'https://api.acme.example/odd',
  name: '<b>"&Odd',
  scopes: ['__proto__', 'constructor', 'toString'],
}
const provision = { ...apiProvision, teams: [{ ...acme, apis: [...(acme?.apis ?? []), odd] }, ...others] }

describe.each(kinds)('an attack through resource on %s', (kind) => {
  const start = shareFlow({ kind, provision })

  async function signIn() {
    const flow = await start()
    const headers = basicAuth('acme-web', secret)
    const page = await flow.browser.signIn(await flow.browser.authorize(encode(askingForApi)))
    expect(placeOf(page)).toBe('/consent')
    const back = await flow.browser.decide(page, { scope: ['openid', 'name', 'orders.read'] })
    const send = (form: Record<string, string>) => flow.token(encode(form), headers)
    const { code = '' } = back.parameters
    const grant = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier, code }
    return { ...flow, send, grant }
  }

  it('by 200 exchanges at once that name an API of another team spends no code', async () => {
    const { send, grant } = await signIn()
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        send({ ...grant, resource: index % 2 ? foreign : `${orders}/${index}` }),
      ),
    )
    const errors = await Promise.all(answers.map(async (answer) => (await answer.json()).error))
    expect(new Set(errors)).toEqual(new Set(['invalid_target']))
    expect((await send({ ...grant, resource: orders })).status).toBe(200)
  })

  it('by 200 refreshes at once gets tokens for the granted API and scope alone, and one successor', async () => {
    const { send, grant } = await signIn()
    const { refresh_token } = await (await send(grant)).json()
    const asked = (index: number) => ({
      resource: [orders, foreign][index % 2] ?? '',
      scope: index % 4 < 2 ? 'orders.read' : 'orders.write',
    })
    const answers = await Promise.all(
      Array.from({ length: many }, async (_, index) => {
        const answer = await send({ grant_type: 'refresh_token', refresh_token, ...asked(index) })
        return { status: answer.status, body: await answer.json() }
      }),
    )
    const given = answers.filter(({ status }) => status === 200).map(({ body }) => body)
    expect(given).toHaveLength(many / 4)
    expect(new Set(given.map((body) => body.refresh_token)).size).toBe(1)
    const tokens = given.map((body) => decodeJwt(body.access_token))
    expect(new Set(tokens.map(({ aud, scope }) => `${aud} ${scope}`))).toEqual(new Set([`${orders} orders.read`]))
    expect(new Set(answers.map(({ body }) => body.error))).toEqual(
      new Set([undefined, 'invalid_target', 'invalid_scope']),
    )
  })

  it('by scopes with the names of members of every object grants these scopes and no others', async () => {
    const { browser, token } = await start()
    const scope = 'openid __proto__ constructor valueOf'
    const page = await browser.signIn(
      await browser.authorize(encode({ ...askingForApi, scope, resource: odd.identifier })),
    )
    expect(placeOf(page)).toBe('/consent')
    const back = await browser.decide(page, { scope: ['openid', '__proto__', 'hasOwnProperty'] })
    const { code } = back.parameters
    const grant = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier, code }
    const answer = await token(encode({ ...grant, resource: odd.identifier }), basicAuth('acme-web', secret))
    const { access_token, scope: granted } = await answer.json()
    expect([answer.status, granted, decodeJwt(access_token).scope]).toEqual([200, '__proto__', '__proto__'])
  })
})
