import type { Toolchain } from './toolchains.ts'

/** A client library, the program that uses it, and the registration fields that differ from the default. */
export type Library = {
  /** The name of the package. */
  name: string
  toolchain: Toolchain['name']
  /** The name of the program, as `start` of its toolchain expects it. */
  program: string
  kind?: 'public'
  /** Whether the program registers its app itself (RFC 7591). */
  registersItself?: true
  /** The path that starts a sign-in, and the path of the redirect URI. */
  start?: string
  callback?: string
  registration?: Record<string, unknown>
  /** Reads the claims from the JSON of the last page. The default takes that JSON itself as the claims. */
  claimsOf?: (shown: Record<string, unknown>) => Record<string, unknown>
}

/** For a library that reads the person from the ID token and does not call userinfo. */
const readsIdToken = { id_token_claims: true }

const spring = { start: '/oauth2/authorization/postern', callback: '/login/oauth2/code/postern' }

export const libraries: Library[] = [
  { name: 'openid-client', toolchain: 'node', program: 'openid-client-6.mjs' },
  { name: 'openid-client', toolchain: 'node', program: 'openid-client-registration.mjs', registersItself: true },
  { name: 'openid-client-5', toolchain: 'node', program: 'openid-client-5.mjs' },
  { name: 'oauth4webapi', toolchain: 'node', program: 'oauth4webapi.mjs' },
  {
    name: 'passport-openidconnect',
    toolchain: 'node',
    program: 'passport-openidconnect.mjs',
    registration: readsIdToken,
  },
  {
    name: '@auth/core',
    toolchain: 'node',
    program: 'auth-js.mjs',
    callback: '/auth/callback/postern',
    registration: readsIdToken,
  },
  {
    name: 'oidc-client-ts',
    toolchain: 'node',
    program: 'oidc-client-ts.mjs',
    kind: 'public',
    registration: readsIdToken,
  },
  { name: '@openid/appauth', toolchain: 'node', program: 'appauth.mjs', kind: 'public' },
  { name: 'authlib', toolchain: 'python', program: 'authlib_flask.py' },
  { name: 'requests-oauthlib', toolchain: 'python', program: 'requests_oauthlib_flask.py' },
  { name: 'oic', toolchain: 'python', program: 'pyoidc_flask.py' },
  { name: 'github.com/coreos/go-oidc/v3', toolchain: 'go', program: 'go-oidc' },
  {
    name: 'github.com/oauth2-proxy/oauth2-proxy/v7',
    toolchain: 'go',
    program: 'oauth2-proxy.sh',
    start: '/oauth2/start?rd=/oauth2/userinfo',
    callback: '/oauth2/callback',
    registration: { email: 'required' },
    claimsOf: ({ user, preferredUsername, ...others }) => ({
      ...others,
      sub: user,
      preferred_username: preferredUsername,
    }),
  },
  { name: 'openidconnect', toolchain: 'rust', program: 'postern-clients' },
  { name: 'spring-boot', toolchain: 'java', program: 'boot4', ...spring },
  { name: 'spring-boot-3', toolchain: 'java', program: 'boot3', ...spring },
  {
    name: 'libapache2-mod-auth-openidc',
    toolchain: 'debian',
    program: 'mod_auth_openidc.sh',
    start: '/secure/',
    callback: '/secure/redirect_uri',
  },
]
