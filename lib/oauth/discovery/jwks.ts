import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/lean'
import type { OAuthContext } from '#lib/oauth/context'

/**
 * GET /oauth2/jwks (specification §4.5, RFC 7517): the public keys, including the next one. The cache time is shorter
 * than the two weeks for which the next key is published before it signs.
 */
export async function answerJwks(context: Pick<OAuthContext, 'keys'>): Promise<Response> {
  return textResponse(JSON.stringify({ keys: await context.keys.published() }), {
    headers: { 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=300', ...openToBrowsers },
  })
}
