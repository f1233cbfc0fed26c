import { type Approval, basic, basicAuth, callback, type Postern, secret, verifier } from '#lib/testing/process/postern'

/** The apps of the test's provision, as they authenticate. */
export const asMail = basicAuth('acme-mail', `${secret}!`)
export const asOther = basicAuth('other-web', secret)
export const asBrowser = { client_id: 'acme-spa' }

/** What an app gets at the token endpoint for a person's approval. */
export async function getTokens(
  postern: Postern,
  approval: Approval = {},
  headers = basic,
  form: Record<string, string> = {},
) {
  const code = await postern.approve(approval)
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  return (await postern.token({ ...exchange, ...form }, headers)).json()
}
