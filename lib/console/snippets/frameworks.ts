import { unitLiteral as js } from './literal.ts'
import { environmentOf, hostOf, portOf, startPath } from './node-server.ts'
import { authMethodOf, redirectWithPath, type SnippetOf, webRedirect } from './snippet.ts'

/** Auth.js with a server for Node; its integrations for frameworks take the same `config`. */
export const authJs: SnippetOf = (app) => {
  const redirectUri = redirectWithPath(app, '/auth/callback/postern')
  if (app.kind !== 'confidential' || redirectUri === undefined) return undefined
  const code = `import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { Auth } from '@auth/core'

const config = {
  basePath: '/auth',
  trustHost: true,
  // Signs the cookies of Auth.js: "openssl rand -base64 32" makes one.
  secret: process.env.AUTH_SECRET,
  providers: [
    {
      id: 'postern',
      name: ${js(app.serviceName)},
      type: 'oidc',
      issuer: ${js(app.issuer)},
      clientId: ${js(app.clientId)},
      clientSecret: process.env.CLIENT_SECRET,
      client: {
        token_endpoint_auth_method: ${js(authMethodOf(app))},
        id_token_signed_response_alg: ${js(app.idTokenAlg)},
      },
      authorization: { params: { scope: ${js(app.scopes.join(' '))} } },
      checks: ['pkce', 'state', 'nonce'],
      // Reads the person ${app.hasIdTokenClaims ? 'from the ID token' : 'from userinfo'}.
      idToken: ${app.hasIdTokenClaims},
    },
  ],
  callbacks: {
    // sub is the key of this person in your database.
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({ ...session, sub: token.sub }),
  },
}

createServer(async (incoming, outgoing) => {
  const body = incoming.method === 'POST' ? Readable.toWeb(incoming) : undefined
  const { method, headers } = incoming
  const url = new URL(incoming.url, ${js(redirectUri)})
  const answer = await Auth(new Request(url, { method, headers, body, duplex: 'half' }), config)
  for (const [name, value] of answer.headers) outgoing.appendHeader(name, value)
  outgoing.writeHead(answer.status).end(await answer.text())
}).listen(${portOf(redirectUri)}, ${js(hostOf(redirectUri))}, () => console.log(${js(`Open ${new URL('/auth/signin', redirectUri)}`)}))
`
  const [file, version] = ['auth-js.mjs', '0.41.3']
  return {
    id: 'auth-js',
    library: 'Auth.js',
    version,
    install: `npm install @auth/core@${version}`,
    file,
    code,
    run: `AUTH_SECRET="$(openssl rand -base64 32)" ${environmentOf(app)}node ${file}`,
    redirectUri,
  }
}

/** Passport with Express. The library has no PKCE and sends the secret in the form. */
export const passport: SnippetOf = (app) => {
  const redirectUri = webRedirect(app)
  const fits =
    app.profile === 'oidc' && app.authMethods.includes('client_secret_post') && !app.mustPush && !app.mustProve
  if (!fits || redirectUri === undefined) return undefined
  const code = `import express from 'express'
import session from 'express-session'
import passport from 'passport'
import Strategy from 'passport-openidconnect'

const settings = {
  issuer: ${js(app.issuer)},
  authorizationURL: ${js(`${app.issuer}/oauth2/authorize`)},
  tokenURL: ${js(`${app.issuer}/oauth2/token`)},
  userInfoURL: ${js(`${app.issuer}/userinfo`)},
  clientID: ${js(app.clientId)},
  clientSecret: process.env.CLIENT_SECRET,
  callbackURL: ${js(redirectUri)},
  scope: ${js(app.scopes.filter((scope) => scope !== 'openid').join(' '))},
  // Reads the person from ${app.hasIdTokenClaims ? 'the ID token' : 'userinfo'}.
  skipUserProfile: ${app.hasIdTokenClaims},
}
passport.use(new Strategy(settings, (issuer, profile, done) => done(null, profile)))

const app = express()
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }))
app.get(${js(startPath(redirectUri))}, passport.authenticate('openidconnect'))
app.get(${js(new URL(redirectUri).pathname)}, passport.authenticate('openidconnect', { session: false }), (request, response) =>
  // Begin your own session here. request.user.id is the key of this person in your database.
  response.json(request.user),
)
app.listen(${portOf(redirectUri)}, ${js(hostOf(redirectUri))}, () => console.log(${js(`Open ${new URL(startPath(redirectUri), redirectUri)}`)}))
`
  const [file, version] = ['passport.mjs', '0.1.2']
  return {
    id: 'passport',
    library: 'passport-openidconnect',
    version,
    install: `npm install passport-openidconnect@${version} passport@0.7.0 express@5.3.0 express-session@1.19.0`,
    file,
    code,
    run: `SESSION_SECRET="$(openssl rand -base64 32)" ${environmentOf(app)}node ${file}`,
    redirectUri,
  }
}
