import { readTrial } from '#lib/console/trial/trial'
import type { Arrival } from '#lib/testing/browser/browser'
import { flowProvision, shareFlow, type startFlow } from '#lib/testing/browser/flow'
import { makeAssertionKey } from '#lib/testing/oauth/assertions'

type Flow = ReturnType<typeof startFlow>

const key = await makeAssertionKey('k1')
const [acme, ...others] = flowProvision.teams
const bank = {
  ...acme?.apps[0],
  client_id: 'acme-bank',
  name: 'Acme Bank',
  kind: 'assertion',
  profile: 'fapi2',
  client_secret: undefined,
  jwks: { keys: [key.publicJwk] },
  dpop_nonces: true,
}
const signed = { ...bank, client_id: 'acme-signed', profile: 'oidc', require_signed_request_object: true }
export const orders = { identifier: 'https://orders.acme.example', name: 'Orders', scopes: ['orders.read'] }
const teams = [{ ...acme, apps: [...(acme?.apps ?? []), bank, signed], apis: [orders] }, ...others]
const provision = { ...flowProvision, teams }

/** Shares a service with apps of each kind among the tests of a file; the result signs a member of the team acme in. */
export function shareTrials() {
  const start = shareFlow({ provision })
  return async (member = {}) => openTrials(await start(), member)
}

async function openTrials(flow: Flow, { username = 'ada', role = 'developer' }: { username?: string; role?: string }) {
  const personId = await flow.personId(username)
  await flow.prisma.member.deleteMany()
  await flow.prisma.appTrial.deleteMany()
  await flow.prisma.member.create({ data: { teamId: 'acme', personId, role, createdAt: flow.context.now() } })
  const { browser, context } = flow
  const password = username === 'ada' ? 'correct horse battery' : 'staple horse battery'
  const signIn = (name = username, word = password) =>
    browser.post('/signin/submit', { to: '/account', username: name, password: word })
  await signIn()
  const begin = (fields: Record<string, string | string[]> = {}) =>
    browser.post('/console/app/try', { team: 'acme', app: 'acme-web', scope: ['name', 'email'], ...fields })
  const allow = (consent: Arrival) => browser.decide(consent, { scope: ['openid', 'name'], email_choice: 'none' })
  const outcome = async (app = 'acme-web') => (await readTrial(context, personId, app))?.outcome
  return { ...flow, personId, signIn, begin, allow, outcome }
}
