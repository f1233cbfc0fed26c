import { decodeJwt } from 'jose'
import { acme, basicAuth, callback, secret, verifier } from '#lib/testing/process/postern'
import { shareFlow } from './flow.ts'
import { giveTotp } from './people.ts'

const app = {
  kind: 'confidential',
  profile: 'oidc',
  client_secret: secret,
  redirect_uris: [callback],
  scopes: ['openid', 'name', 'nickname', 'locale', 'preferred_username', 'email'],
  email: 'optional',
}
const apps = [
  { ...app, client_id: 'asking', name: 'Asking' },
  { ...app, client_id: 'ignored', name: 'Ignored', profile: 'standard' },
]

export const asked = (claims: unknown, changed = {}) => ({
  client_id: 'asking',
  scope: 'openid',
  claims: typeof claims === 'string' ? claims : JSON.stringify(claims),
  ...changed,
})

type Changed = Record<string, string>

/** Shares one Postern between the tests of a file; returns the set-up of a test of the parameter `claims`. */
export function shareClaims() {
  const start = shareFlow({ provision: { ...acme, teams: [...acme.teams, { id: 'claims', name: 'Claims', apps }] } })
  const setUp = async () => {
    const started = await start()
    const { browser, token, userinfo, prisma, personId, context } = started
    await prisma.totp.deleteMany()
    const headers = basicAuth('asking', secret)
    /** Exchanges the code of an arrival; the result has the claims of the ID token and of userinfo. */
    const read = async ({ parameters }: { parameters: Changed }) => {
      const form = { grant_type: 'authorization_code', code: parameters.code, redirect_uri: callback }
      const tokens = await (await token({ ...form, code_verifier: verifier }, headers)).json()
      const claims = await (await userinfo(tokens.access_token)).json()
      return { tokens, idToken: decodeJwt(tokens.id_token), claims }
    }
    const refresh = async (refresh_token: string) => {
      const tokens = await (await token({ grant_type: 'refresh_token', refresh_token }, headers)).json()
      return decodeJwt(tokens.id_token)
    }
    const consentTo = async (claims: unknown, changed: Changed = {}) =>
      browser.signIn(await browser.authorize(asked(claims, changed)))
    /** Signs Ada in and ticks these scopes. */
    const approve = async (claims: unknown, ticked: string[], changed: Changed = {}) =>
      read(await browser.decide(await consentTo(claims, changed), { scope: ticked, email_choice: 'regular' }))
    const addFactor = async () => giveTotp(context, await personId('ada'))
    return { ...started, approve, consentTo, read, refresh, addFactor }
  }
  return { setUp }
}
