import { type Approval, basic, basicAuth, callback, type Postern, secret, verifier } from '#lib/testing/process/postern'

/** The client authentication of the apps in the test's provision. */
export const asMail = basicAuth('acme-mail', `${secret}!`)
export const asOther = basicAuth('other-web', secret)
export const asBrowser = { client_id: 'acme-spa' }

/** Returns the token response for a person's approval. */
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
