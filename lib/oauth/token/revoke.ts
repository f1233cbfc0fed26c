import { openToBrowsers } from '#lib/http/headers'
import { authenticationParameters, readAuthenticated } from '#lib/oauth/client/client-auth'
import type { OAuthContext } from '#lib/oauth/context'
import { answerEndpoint, requireParameter } from '#lib/oauth/endpoint'
import { readRefreshToken } from './refresh-token.ts'
import { readAccessToken } from './signed-tokens.ts'

const known = new Set([...authenticationParameters, 'token', 'token_type_hint'])

/**
 * POST /oauth2/revoke (specification §4.7, RFC 7009). Revoking a refresh token ends its access tokens too; revoking
 * an access token ends only that token. For unknown tokens and tokens of other apps, the answer is the same and
 * nothing changes.
 */
export const answerRevoke = (context: OAuthContext, request: Request): Promise<Response> =>
  answerEndpoint(context, 'revoke', request, async (call) => {
    const { form, client } = await readAuthenticated(context, call, known)
    await revokeToken(context, client.id, requireParameter(form, 'token'))
    return new Response(null, { status: 200, headers: { 'cache-control': 'no-store', ...openToBrowsers } })
  })

async function revokeToken(context: OAuthContext, clientId: string, text: string) {
  const refresh = readRefreshToken(context.secrets, text)
  if (refresh) {
    const authorization = await context.store.findAuthorization(refresh.authorizationId)
    if (authorization?.clientId === clientId) await context.store.revokeAuthorization(authorization.id, context.now())
    return
  }
  const access = await readAccessToken(context, text)
  if (access?.clientId === clientId)
    await context.store.revokeAccessToken(access.jti, new Date(access.expiresAt * 1000))
}
