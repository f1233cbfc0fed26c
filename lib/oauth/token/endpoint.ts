import { authenticationParameters, readAuthenticated } from '#lib/oauth/client/client-auth'
import type { OAuthContext } from '#lib/oauth/context'
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
])
const grants = { authorization_code: exchangeCode, refresh_token: refreshTokens }

/** POST /oauth2/token (specification §4.3, §4.4). */
export const answerToken = (context: OAuthContext, request: Request): Promise<Response> =>
  answerEndpoint(context, 'token', request, async (call) => {
    const { form, client } = await readAuthenticated(context, call, known)
    const grantType = requireParameter(form, 'grant_type')
    if (!Object.hasOwn(grants, grantType)) {
      throw new OAuthError(
        'unsupported_grant_type',
        'The grant_type must be authorization_code or refresh_token.',
        'unsupported grant_type',
      )
    }
    return json(await grants[grantType as keyof typeof grants](context, client, form))
  })
