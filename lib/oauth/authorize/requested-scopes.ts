import type { Client } from '#lib/oauth/client/client'
import type { OAuthContext } from '#lib/oauth/context'
import type { Parameters } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { formatScope, parseScope, scopesAsked } from '#lib/oauth/scope'

/**
 * Reads the scopes, and adds those of requested claims. Leaves out known scopes that the app is not registered for, and
 * tells its developers.
 */
export function readScopes(context: OAuthContext, client: Client, values: Parameters, ofClaims: string[] = []) {
  const asked = [...new Set([...parseScope(values.get('scope') ?? ''), ...ofClaims])]
  const { scopes, left } = scopesAsked(asked, client.scopes)
  if (!scopes.includes('openid')) throw new OAuthError('invalid_scope', 'The scope must include openid.')
  if (left.length > 0) {
    // The reason must not contain the scopes: a visitor could produce any number of reasons, and the number of failures is
    // limited for each reason.
    const error = new OAuthError(
      'invalid_scope',
      'The app is not registered for every scope.',
      'scopes that are not registered for this app were left out',
      { scopes: formatScope(left) },
    )
    context.refused({ endpoint: 'authorize', clientId: client.id, error, isNotice: true })
  }
  return scopes
}
