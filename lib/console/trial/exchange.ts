import { generateKeyPair } from 'jose'
import type { Client } from '#lib/oauth/client/client'
import type { OAuthContext, Refusal } from '#lib/oauth/context'
import { checkProof } from '#lib/oauth/dpop/proof'
import { needsProof } from '#lib/oauth/dpop/token-proof'
import { OAuthError } from '#lib/oauth/error'
import { exchangeCode } from '#lib/oauth/token/authorization-code'
import { readAccessToken, type TokenResponse } from '#lib/oauth/token/signed-tokens'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import { decodeToken } from './decode-token.ts'
import { makeProof, type ProofKey } from './make-proof.ts'
import { shownResponse, shownTokenRequest, shownUserinfoRequest } from './show-requests.ts'
import { type Begun, failureOf, type TrialContext, type TrialOutcome } from './trial.ts'

/** `resource` is the API that the access token is for (RFC 8707); undefined for userinfo. */
type Answered = Begun & { code: string; redirectUri: string; resource: string | undefined }

/**
 * Exchanges the code inside this process, because only the hashes of the app's secrets are known; asks userinfo; revokes
 * the tokens. Returns what the app would send and get, without a token.
 */
export async function exchangeForTrial(
  context: TrialContext,
  client: Client,
  answered: Answered,
): Promise<Omit<TrialOutcome, 'parameters'>> {
  const refusals: Refusal[] = []
  // The usage and the failures of the app are those of its own requests.
  const usage = { ...context.oauth.usage, count: () => undefined }
  const oauth: OAuthContext = { ...context.oauth, usage, refused: (refusal) => void refusals.push(refusal) }
  const key = needsProof(client) ? await generateKeyPair('ES256') : undefined
  const sent = shownTokenRequest(context.oauth, client, answered)
  const tokens = await exchange(oauth, client, answered, key)
  if (tokens instanceof OAuthError)
    return { exchange: { sent, received: shownResponse(errorBody(tokens)) }, failure: failureOf('token', tokens) }
  try {
    const wanted = { typ: 'JWT', aud: client.id, nonce: answered.nonce, accessToken: tokens.access_token }
    const idToken = await decodeToken(oauth, tokens.id_token, wanted)
    const { resource } = answered
    const accessToken = await decodeToken(oauth, tokens.access_token, { typ: 'at+jwt', aud: resource ?? oauth.issuer })
    const userinfo = resource === undefined ? await askUserinfo(oauth, tokens, key, idToken.claims.sub) : undefined
    const [refusal] = refusals
    return {
      exchange: { sent, received: shownResponse(tokens) },
      idToken,
      accessToken,
      ...(userinfo && { userinfo }),
      ...(refusal && { failure: failureOf('userinfo', refusal.error) }),
      isRevoked: await revoke(oauth, tokens),
    }
  } catch (fault) {
    await revoke(oauth, tokens)
    throw fault
  }
}

const errorBody = ({ code, description }: OAuthError) => ({ error: code, error_description: description })

async function exchange(
  oauth: OAuthContext,
  client: Client,
  { code, redirectUri, verifier, resource }: Answered,
  key: ProofKey | undefined,
): Promise<TokenResponse | OAuthError> {
  const endpoint = `${oauth.issuer}/oauth2/token`
  try {
    const target = { method: 'POST', endpoint, now: oauth.now() }
    const proof = key && (await checkProof(await makeProof(oauth, client, key, target), target))
    const form = new Map([
      ['code', code],
      ['redirect_uri', redirectUri],
      ['code_verifier', verifier],
      ...(resource === undefined ? [] : ([['resource', resource]] as const)),
    ])
    return await exchangeCode(oauth, client, form, proof)
  } catch (fault) {
    if (fault instanceof OAuthError) return fault
    throw fault
  }
}

async function askUserinfo(
  oauth: OAuthContext,
  tokens: TokenResponse,
  key: ProofKey | undefined,
  subject: unknown,
): Promise<TrialOutcome['userinfo']> {
  const endpoint = `${oauth.issuer}/userinfo`
  const accessToken = tokens.access_token
  const client = await oauth.store.findClient((await readAccessToken(oauth, accessToken))?.clientId ?? '')
  const proof = key && client && (await makeProof(oauth, client, key, { method: 'GET', endpoint, accessToken }))
  const headers = { authorization: `${tokens.token_type} ${accessToken}`, ...(proof && { dpop: proof }) }
  const answer = await answerUserinfo(oauth, new Request(endpoint, { headers }))
  if (!answer.ok) return undefined
  const claims = (await answer.json()) as Record<string, unknown>
  return { sent: shownUserinfoRequest(oauth, tokens), claims, isSamePerson: claims.sub === subject }
}

/** Revokes the tokens of a trial, and returns whether they have stopped working. */
async function revoke(oauth: OAuthContext, tokens: TokenResponse): Promise<boolean> {
  const token = await readAccessToken(oauth, tokens.access_token)
  if (!token) return false
  await oauth.store.revokeAuthorization(token.authorizationId, oauth.now())
  return (await oauth.store.findGrant(token.authorizationId, token.jti)) === undefined
}
