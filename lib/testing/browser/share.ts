import { consentMark } from '#lib/oauth/consent/consent'
import type { startFlow } from './flow.ts'

export const wanted = { scope: 'openid name nickname email' }

/** Makes a person share name, nickname and address with an app that holds tokens. */
export async function share(started: ReturnType<typeof startFlow>) {
  const { browser, token, userinfo, introspect, tokens, prisma, personId } = started
  const page = await browser.signIn(await browser.authorize(wanted))
  const ticked = { scope: ['name', 'nickname'], email_choice: 'regular' }
  const held = await tokens(await browser.decide(page, ticked))
  const session = await browser.shownSession()
  /** Returns the fingerprint of the consent that the page of an app shows. */
  const markFor = async (app: string) => {
    const consent = await started.context.consents.findConsent(await personId('ada'), app)
    return consent && consentMark(consent)
  }
  const change = async (fields: { app?: string } & Record<string, unknown> = {}) => {
    const shown = await markFor(fields.app ?? 'acme-web')
    return browser.post('/account/sharing/change', { app: 'acme-web', session, shown, ...ticked, ...fields })
  }
  const withdraw = (fields = {}) => browser.post('/account/sharing/withdraw', { app: 'acme-web', session, ...fields })
  const learn = async () => (await userinfo(held.access_token)).json()
  const refresh = async () => (await token({ grant_type: 'refresh_token', refresh_token: held.refresh_token })).json()
  const recorded = async () => {
    const rows = await prisma.activity.findMany({
      where: { OR: [{ kind: { startsWith: 'consent' } }, { kind: { startsWith: 'address' } }] },
      orderBy: { at: 'asc' },
    })
    return rows.map(({ kind, detail }) => ({ kind, ...JSON.parse(detail) }))
  }
  const connections = async () => started.context.connections.listConnections(await personId('ada'))
  return { ...started, held, session, change, withdraw, learn, refresh, recorded, connections, introspect, markFor }
}
