import { answerAddressCode, answerNewAddress } from '#lib/account/email/change-address'
import { openAccount } from '#lib/testing/browser/account'
import { startFlow } from '#lib/testing/browser/flow'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { makeProofPair, signProof } from '#lib/testing/oauth/proofs'
import { basic, callback, challengeOf, type Postern, verifier } from '#lib/testing/process/postern'
import { codeSentTo } from '#lib/testing/relay/mail'

/** The tables to which a week of traffic adds rows, apart from those of a person who stays signed in. */
export const filledByTraffic = [
  'Activity',
  'AppUsage',
  'Attempt',
  'Authorization',
  'EmailChange',
  'EmailCode',
  'Failure',
  'FormerEmail',
  'PushedRequest',
  'RevokedToken',
  'Session',
  'UsedProof',
]

/**
 * Does once what people and apps do in a week: a sign-in after a wrong password and a logout, a code that is never spent,
 * a revocation, a pushed request, a DPoP proof, and a change of the e-mail address. Each must succeed.
 */
export async function weekOfTraffic(postern: Postern, week: number): Promise<void> {
  await signInAndOut(postern)
  await postern.approve({ username: 'bob' })
  const revoked = await getTokens(postern, { username: 'bob' })
  expectStatus(await postern.revoke({ token: revoked.access_token }), 200)
  expectStatus(await postern.revoke({ token: revoked.refresh_token }), 200)
  const request = { response_type: 'code', redirect_uri: callback, scope: 'openid', state: 's' }
  const challenge = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  expectStatus(await postern.push({ ...request, ...challenge }), 201)
  await proveOnce(postern)
  await changeAddress(postern, `bob-${week}@example.org`)
  // Every app makes mistakes.
  expectStatus(await postern.token({ grant_type: 'authorization_code', code: 'unknown', redirect_uri: callback }), 400)
  await postern.context.letters.settled()
}

/** Signs in at the page with a new browser after a wrong password, and signs out at the app's request. */
async function signInAndOut(postern: Postern) {
  const { browser, tokens, context } = startFlow(postern)
  const page = await browser.authorize({ scope: 'openid' })
  await browser.signIn(page, { password: 'wrong' })
  const consent = await browser.signIn(page)
  const arrival = consent.url.pathname.includes('callback') ? consent : await browser.decide(consent, {})
  const { id_token } = await tokens(arrival)
  await browser.visit(`${context.config.issuer}/oauth2/logout?${new URLSearchParams({ id_token_hint: id_token })}`)
  if (await browser.shownSession()) throw new Error('The logout did not end the session.')
}

async function proveOnce(postern: Postern) {
  const pair = await makeProofPair()
  const htu = `${postern.context.config.issuer}/oauth2/token`
  const dpop = await signProof(pair, htu, { at: postern.clock.now })
  const tokens = await getTokens(postern, { username: 'bob' }, { ...basic, dpop })
  if (tokens.token_type !== 'DPoP') throw new Error(`The proof was not accepted: ${JSON.stringify(tokens)}`)
}

async function changeAddress(postern: Postern, address: string) {
  const account = await openAccount(postern, 'bob')
  await account.fill(answerNewAddress, { address })
  await account.fill(answerAddressCode, { code: await codeSentTo(postern.context, address) })
  if ((await account.stored()).email !== address) throw new Error('The address was not changed.')
}

function expectStatus({ status }: Response, wanted: number) {
  if (status !== wanted) throw new Error(`The answer was ${status} instead of ${wanted}.`)
}
