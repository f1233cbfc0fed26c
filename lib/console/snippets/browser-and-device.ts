import { unitLiteral as js } from './literal.ts'
import { type SnippetOf, webRedirect } from './snippet.ts'

/** oidc-client-ts, for apps that run in a browser. */
export const oidcClientTs: SnippetOf = (app) => {
  const redirectUri = webRedirect(app)
  if (app.kind !== 'public' || app.mustPush || app.mustProve || redirectUri === undefined) return undefined
  const code = `import { UserManager } from 'oidc-client-ts'

const users = new UserManager({
  authority: ${js(app.issuer)},
  client_id: ${js(app.clientId)},
  redirect_uri: ${js(redirectUri)},
  scope: ${js(app.scopes.join(' '))},
  // Reads the person from ${app.hasIdTokenClaims ? 'the ID token' : 'userinfo'}.
  loadUserInfo: ${!app.hasIdTokenClaims},
  // A hidden frame does not see the cookie of the service. Call signinRedirect() when the token expires.
  automaticSilentRenew: false,
})

// The page at the redirect URI runs this program too.
const answer = new URLSearchParams(location.search)
if (answer.has('state') && (answer.has('code') || answer.has('error'))) {
  const { profile } = await users.signinCallback()
  history.replaceState(null, '', location.pathname)
  // profile.sub is the key of this person in your database.
  document.body.append(JSON.stringify(profile))
} else {
  const button = document.createElement('button')
  button.textContent = 'Sign in'
  button.onclick = () => users.signinRedirect()
  document.body.append(button)
}
`
  return {
    id: 'oidc-client-ts',
    library: 'oidc-client-ts',
    version: '3.5.0',
    install: 'npm install oidc-client-ts@3.5.0',
    file: 'sign-in.js',
    code,
    run: undefined,
    redirectUri,
  }
}

/** AppAuth-JS. It does not check ID tokens, so the program reads the person from userinfo. */
export const appAuthJs: SnippetOf = (app) => {
  const redirectUri = webRedirect(app)
  if (app.kind !== 'public' || app.mustPush || app.mustProve || redirectUri === undefined) return undefined
  const code = `import * as appauth from '@openid/appauth'

// The answer is in the query, not in the fragment.
class Query extends appauth.BasicQueryStringUtils {
  parse(place) {
    return super.parse(place, false)
  }
}

const [clientId, redirectUri] = [${js(app.clientId)}, ${js(redirectUri)}]
const requestor = new appauth.FetchRequestor()
const configuration = await appauth.AuthorizationServiceConfiguration.fetchFromIssuer(${js(app.issuer)}, requestor)
const handler = new appauth.RedirectRequestHandler(new appauth.LocalStorageBackend(), new Query())
const notifier = new appauth.AuthorizationNotifier()
handler.setAuthorizationNotifier(notifier)
notifier.setAuthorizationListener(async (request, answer, fault) => {
  if (fault) throw new Error(fault.error)
  const exchange = new appauth.TokenRequest({
    client_id: clientId,
    redirect_uri: redirectUri,
    grant_type: appauth.GRANT_TYPE_AUTHORIZATION_CODE,
    code: answer.code,
    extras: { code_verifier: request.internal.code_verifier },
  })
  const tokens = await new appauth.BaseTokenRequestHandler(requestor).performTokenRequest(configuration, exchange)
  const headers = { authorization: \`Bearer \${tokens.accessToken}\` }
  // person.sub is the key of this person in your database.
  const person = await (await fetch(configuration.userInfoEndpoint, { headers })).json()
  document.body.append(JSON.stringify(person))
})

// The page at the redirect URI runs this program too.
await handler.completeAuthorizationRequestIfPossible()
const button = document.createElement('button')
button.textContent = 'Sign in'
button.onclick = () => {
  const asked = { client_id: clientId, redirect_uri: redirectUri, scope: ${js(app.scopes.join(' '))}, response_type: 'code' }
  handler.performAuthorizationRequest(configuration, new appauth.AuthorizationRequest(asked))
}
document.body.append(button)
`
  return {
    id: 'appauth-js',
    library: 'AppAuth-JS',
    version: '1.4.0',
    install: 'npm install @openid/appauth@1.4.0',
    file: 'sign-in.js',
    code,
    run: undefined,
    redirectUri,
  }
}

/** AppAuth for Android; the libraries for iOS and macOS take the same values. */
export const appAuth: SnippetOf = (app) => {
  const redirectUri = app.redirectUris.find((uri) => !/^https?:/i.test(uri)) ?? app.redirectUris[0]
  if (app.kind !== 'public' || app.mustPush || app.mustProve || redirectUri === undefined) return undefined
  const code = `// In build.gradle.kts: manifestPlaceholders["appAuthRedirectScheme"] = ${js(redirectUri.split(':')[0] ?? '')}
val service = AuthorizationService(context)

fun startSignIn(launch: (Intent) -> Unit) =
  AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse(${js(app.issuer)})) { configuration, fault ->
    if (configuration == null) throw fault ?: IllegalStateException()
    val request = AuthorizationRequest.Builder(
      configuration,
      ${js(app.clientId)},
      ResponseTypeValues.CODE,
      Uri.parse(${js(redirectUri)}),
    ).setScope(${js(app.scopes.join(' '))}).build()
    launch(service.getAuthorizationRequestIntent(request))
  }

// In the result of the intent:
fun finishSignIn(data: Intent, signedIn: (TokenResponse) -> Unit) {
  val answer = AuthorizationResponse.fromIntent(data) ?: throw AuthorizationException.fromIntent(data)!!
  service.performTokenRequest(answer.createTokenExchangeRequest()) { tokens, fault ->
    signedIn(tokens ?: throw fault!!)
  }
}
`
  return {
    id: 'appauth',
    library: 'AppAuth (Android)',
    version: undefined,
    install: undefined,
    file: 'SignIn.kt',
    code,
    run: undefined,
    redirectUri,
  }
}
