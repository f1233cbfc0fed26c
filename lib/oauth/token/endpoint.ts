import { authenticationParameters } from '#lib/oauth/client/client-auth'
import type { OAuthContext } from '#lib/oauth/context'
import { needsProof, proofMissing, readProven } from '#lib/oauth/dpop/token-proof'
import { answerEndpoint, json, requireParameter } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { exchangeCode } from './authorization-code.ts'
import { refreshTokens } from './refresh-token.ts'

const known = new Set([
  ...authenticationParameters,
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
])
const grants = { authorization_code: exchangeCode, refresh_token: refreshTokens }

/** POST /oauth2/token (specification §4.3, §4.4; RFC 9449 §5). */
export const answerToken = (context: OAuthContext, request: Request): Promise<Response> =>
  answerEndpoint(context, 'token', request, async (call) => {
    const { form, client, proof } = await readProven(context, call, known)
    const grantType = requireParameter(form, 'grant_type')
    if (!Object.hasOwn(grants, grantType)) {
      throw new OAuthError(
        'unsupported_grant_type',
        'The grant_type must be authorization_code or refresh_token.',
        'unsupported grant_type',
      )
    }
    if (needsProof(client) && !proof) throw proofMissing('the app must send a DPoP proof with every token request')
    return json(await grants[grantType as keyof typeof grants](context, client, form, proof))
  })
