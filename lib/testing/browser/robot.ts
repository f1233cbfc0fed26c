import { randomUUID } from 'node:crypto'
import { assertionClaims, assertionForm, makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import { acme, callback, type Options, openPostern } from '#lib/testing/process/postern'

const id = 'acme-robot'
export type Robot = Awaited<ReturnType<typeof openRobot>>

/**
 * Opens a Postern with an app of kind "assertion" and a second app with the same key, and returns functions that sign
 * for them.
 */
export async function openRobot(options: Options = {}) {
  const key = await makeAssertionKey('key-1')
  const app = { redirect_uris: [callback], scopes: ['openid', 'name'], kind: 'assertion' }
  const jwks = { keys: [key.publicJwk] }
  const apps = [
    { ...app, client_id: id, name: 'Acme Robot', jwks },
    { ...app, client_id: 'acme-twin', name: 'Acme Twin', jwks },
  ]
  const people = acme.people.slice(0, 1)
  const postern = await openPostern({ ...options, provision: { teams: [{ id: 'acme', name: 'Acme', apps }], people } })
  const tokenEndpoint = `${postern.context.config.issuer}/oauth2/token`
  const claims = () => assertionClaims(id, tokenEndpoint, postern.clock.now)
  return {
    ...postern,
    id,
    key,
    tokenEndpoint,
    claims,
    seconds: () => Math.floor(postern.clock.now.getTime() / 1000),
    sign: (changed: Record<string, unknown> = {}, header: Record<string, unknown> = {}, by = key.privateKey) =>
      signJwt({ ...claims(), ...changed }, { alg: 'ES256', kid: key.kid, ...header }, by),
    /**
     * Revokes an unknown token, each time from another address. The answer is 200 exactly when the client
     * authentication succeeded.
     */
    ask: (assertion: string, changed: Record<string, string | undefined> = {}) =>
      postern.revoke({ token: 'x', ...assertionForm(assertion, id), ...changed }, { 'x-postern-client': randomUUID() }),
  }
}
