import { afterEach, describe, expect, it } from 'vitest'
import { flowProvision, placeOf, startFlow } from '#lib/testing/browser/flow'
import { share, wanted } from '#lib/testing/browser/share'
import { kinds } from '#lib/testing/databases/databases'
import { openPostern } from '#lib/testing/process/postern'

type Travelling = ReturnType<typeof startFlow>

describe.each(kinds)('a withdrawal on %s', (kind) => {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const postern of opened.splice(0)) await postern.close()
  })
  const open = async () => {
    const postern = await openPostern({ kind, provision: flowProvision })
    opened.push(postern)
    return share(startFlow(postern))
  }
  /** Returns how many of the tokens still work. */
  const living = async ({ userinfo, token }: Travelling, held: { access_token?: string; refresh_token?: string }[]) => {
    const statuses = held.flatMap(({ access_token, refresh_token }) => [
      access_token && userinfo(access_token),
      refresh_token && token({ grant_type: 'refresh_token', refresh_token }),
    ])
    const answers = (await Promise.all(statuses)).filter((one): one is Response => one instanceof Response)
    return answers.filter(({ status }) => status === 200).length
  }

  it('leaves no live token during eight refreshes', async () => {
    const journey = await open()
    const { refresh, withdraw, held } = journey
    const asked = Array.from({ length: 8 }, (_, one) => (one === 4 ? withdraw().then(() => ({})) : refresh()))
    expect(await living(journey, [held, ...(await Promise.all(asked))])).toBe(0)
  })

  it('leaves no live token of eight concurrent sign-ins', async () => {
    const journey = await open()
    const { browser, withdraw, exchange, held, prisma } = journey
    const asked = Array.from({ length: 8 }, (_, one) => browser.authorize({ ...wanted, state: `state ${one}` }))
    const [ended, ...back] = await Promise.all([withdraw(), ...asked])
    expect(placeOf(ended)).toBe('/account/apps')
    expect(await prisma.consent.count()).toBe(0)
    const tokens = await Promise.all(
      back.filter(({ parameters }) => parameters.code).map(async (one) => (await exchange(one)).json()),
    )
    expect(await living(journey, [held, ...tokens])).toBe(0)
    expect(await prisma.authorization.count({ where: { revokedAt: null } })).toBe(0)
  })

  it('leaves no live token with the withdrawn scope during eight refreshes', async () => {
    const journey = await open()
    const { refresh, change, held } = journey
    const narrow = () => change({ scope: ['name'] }).then(() => ({}))
    const asked = Array.from({ length: 8 }, (_, one) => (one === 4 ? narrow() : refresh()))
    expect(await living(journey, [held, ...(await Promise.all(asked))])).toBe(0)
  })

  it('leaves no live token with the withdrawn scope during eight sign-ins', async () => {
    const { browser, change, prisma } = await open()
    const asked = Array.from({ length: 8 }, (_, one) => browser.authorize({ ...wanted, state: `state ${one}` }))
    await Promise.all([change({ scope: ['name'] }), ...asked])
    const left = await prisma.authorization.findMany({ where: { revokedAt: null } })
    expect(left.filter(({ scopes }) => scopes.includes('nickname'))).toEqual([])
    expect(await prisma.consent.findMany()).toMatchObject([{ granted: 'openid name email', declined: 'nickname' }])
  })

  it('leaves only the scopes that the last of eight concurrent decisions grants', async () => {
    const { browser, change, context, personId, prisma } = await open()
    const kept = [['name'], ['nickname'], ['name', 'nickname'], []]
    const asked = kept.map((_, one) => browser.authorize({ ...wanted, state: `state ${one}` }))
    await Promise.all([...[...kept, ...kept].map((scope) => change({ scope })), ...asked])
    const record = await context.consents.findConsent(await personId('ada'), 'acme-web')
    const living = await prisma.authorization.findMany({ where: { revokedAt: null } })
    const held = new Set(living.flatMap(({ scopes }) => scopes.split(' ')))
    expect([...held].filter((scope) => !record?.granted.includes(scope))).toEqual([])
  })
})
