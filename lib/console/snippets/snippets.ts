import type { JWK } from 'jose'
import type { TeamApp } from '#lib/console/app/store'
import {
  type AuthMethod,
  type ClientKind,
  idTokenAlgOf,
  type ProfileName,
  profileOf,
  type SigningAlg,
} from '#lib/oauth/client/profile'
import type { Registration } from '#lib/oauth/client/registration'
import { appAuth, appAuthJs, oidcClientTs } from './browser-and-device.ts'
import { aspNetCore, modAuthOpenidc, oauth2Proxy, springSecurity } from './configurations.ts'
import { authJs, passport } from './frameworks.ts'
import { goOidc, openidconnectRust } from './go-and-rust.ts'
import { oauth4webapi } from './oauth4webapi.ts'
import { openidClient5, openidClient6 } from './openid-client.ts'
import { authlib, pyoidc, requestsOauthlib } from './python.ts'
import type { Snippet, SnippetApp, SnippetOf } from './snippet.ts'

/** Returns a snippet for each library of docs/clients.md that fits the app, the best known ones first. */
export function snippetsFor(app: SnippetApp): Snippet[] {
  // No snippet signs its request, and a snippet whose request the service refuses is of no use.
  if (app.mustSign) return []
  return libraries(app).flatMap((snippetOf) => snippetOf(app) ?? [])
}

const libraries = ({ kind }: SnippetApp): SnippetOf[] =>
  kind === 'public'
    ? [oidcClientTs, appAuth, openidClient6, oauth4webapi, appAuthJs]
    : [
        openidClient6,
        authJs,
        passport,
        oauth4webapi,
        openidClient5,
        authlib,
        requestsOauthlib,
        pyoidc,
        springSecurity,
        goOidc,
        openidconnectRust,
        aspNetCore,
        oauth2Proxy,
        modAuthOpenidc,
      ]

/** Returns the values of an app that its code needs. */
export function snippetApp(app: TeamApp, site: { issuer: string; serviceName: string }): SnippetApp {
  const declared = app.declaration as Declared
  const [kind, profile] = [app.kind as ClientKind, app.profile as ProfileName]
  const rules = profileOf(profile)
  const [key] = app.keys
  return {
    issuer: site.issuer,
    serviceName: site.serviceName,
    clientId: app.id,
    kind,
    profile,
    redirectUris: declared.redirect_uris,
    scopes: app.scopes,
    email: declared.email ?? 'none',
    authMethods: declared.token_endpoint_auth_method ? [declared.token_endpoint_auth_method] : rules.authMethods[kind],
    idTokenAlg: idTokenAlgOf({ profile, registration: declared }),
    hasIdTokenClaims: declared.id_token_claims === true,
    mustSign: declared.require_signed_request_object === true,
    mustPush: rules.parRequired || declared.require_pushed_authorization_requests === true,
    mustProve: rules.dpopRequired || declared.dpop_bound_access_tokens === true,
    key: key && { kid: key.kid, alg: algOf(JSON.parse(key.jwk)) },
  }
}

type Declared = Registration & {
  redirect_uris: string[]
  scopes: string[]
  email?: SnippetApp['email']
  token_endpoint_auth_method?: AuthMethod
}

/** Returns the algorithm of a public key: the registered one, or the usual one of its type. */
function algOf({ alg, kty }: JWK): SigningAlg {
  if (alg) return alg as SigningAlg
  if (kty === 'OKP') return 'EdDSA'
  return kty === 'RSA' ? 'PS256' : 'ES256'
}
