import { openToBrowsers, textResponse } from '#lib/http/headers'
import type { OAuthContext } from '#lib/oauth/context'

/** GET /oauth2/jwks (specification §4.5, RFC 7517): the public keys, the next one included; cached for less than a rotation takes. */
export async function answerJwks(context: Pick<OAuthContext, 'keys'>): Promise<Response> {
  return textResponse(JSON.stringify({ keys: await context.keys.published() }), {
    headers: { 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=300', ...openToBrowsers },
  })
}
