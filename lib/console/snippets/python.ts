import { characterLiteral as py } from './literal.ts'
import { environmentOf, hostOf, portOf, startPath } from './node-server.ts'
import { authMethodOf, type Snippet, type SnippetApp, type SnippetOf, webRedirect } from './snippet.ts'

/** Authlib with Flask. */
export const authlib: SnippetOf = (app) =>
  flaskServer(app, { id: 'authlib', library: 'Authlib', version: '1.9.9', packages: 'requests' }, (redirectUri) => ({
    imports: `import os

from authlib.integrations.flask_client import OAuth
from flask import Flask`,
    setUp: `oauth = OAuth(app)
oauth.register(
    "postern",
    server_metadata_url=${py(`${app.issuer}/.well-known/openid-configuration`)},
    client_id=${py(app.clientId)},
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={
        "scope": ${py(app.scopes.join(' '))},
        "code_challenge_method": "S256",
        "token_endpoint_auth_method": ${py(authMethodOf(app))},
    },
)`,
    start: `return oauth.postern.authorize_redirect(${py(redirectUri)})`,
    finish: `oauth.postern.authorize_access_token()
person = oauth.postern.userinfo()`,
  }))

/** requests-oauthlib with Flask. It does not check ID tokens, so the program reads the person from userinfo. */
export const requestsOauthlib: SnippetOf = (app) => {
  const about = { id: 'requests-oauthlib', library: 'requests-oauthlib', version: '2.0.0', packages: '' }
  return !app.authMethods.includes('client_secret_basic')
    ? undefined
    : flaskServer(app, about, (redirectUri) => ({
        imports: `import os

from flask import Flask, redirect, request, session
from requests_oauthlib import OAuth2Session

# People can decline a scope, so the granted scopes may differ from the requested ones.
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"`,
        setUp: `settings = {
    "client_id": ${py(app.clientId)},
    "redirect_uri": ${py(redirectUri)},
    "scope": ${py(app.scopes.join(' '))}.split(),
    "pkce": "S256",
}`,
        start: `client = OAuth2Session(**settings)
address, session["state"] = client.authorization_url(${py(`${app.issuer}/oauth2/authorize`)})
session["verifier"] = client._code_verifier
return redirect(address)`,
        finish: `client = OAuth2Session(**settings, state=session["state"])
client.fetch_token(
    ${py(`${app.issuer}/oauth2/token`)},
    client_secret=os.environ["CLIENT_SECRET"],
    code_verifier=session["verifier"],
    authorization_response=${py(redirectUri)} + "?" + request.query_string.decode(),
)
person = client.get(${py(`${app.issuer}/userinfo`)}, timeout=10).json()`,
      }))
}

/** pyoidc with Flask. Its client keeps what it learned about each sign-in by `state`. */
export const pyoidc: SnippetOf = (app) => {
  const about = { id: 'pyoidc', library: 'pyoidc', package: 'oic', version: '1.7.0', packages: '' }
  return !app.authMethods.includes('client_secret_basic')
    ? undefined
    : flaskServer(app, about, (redirectUri) => ({
        imports: `import os
from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_urlsafe

from flask import Flask, abort, redirect, request, session
from oic.oic import Client
from oic.oic.message import AuthorizationResponse, RegistrationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD`,
        setUp: `client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
client.provider_config(${py(app.issuer)})
client.store_registration_info(RegistrationResponse(
    client_id=${py(app.clientId)},
    client_secret=os.environ["CLIENT_SECRET"],
    id_token_signed_response_alg=${py(app.idTokenAlg)},
))`,
        start: `for name in ("state", "nonce", "verifier"):
    session[name] = token_urlsafe(32)
challenge = urlsafe_b64encode(sha256(session["verifier"].encode()).digest()).decode().rstrip("=")
arguments = {
    "client_id": client.client_id,
    "response_type": "code",
    "scope": ${py(app.scopes.join(' '))}.split(),
    "redirect_uri": ${py(redirectUri)},
    "state": session["state"],
    "nonce": session["nonce"],
    "code_challenge": challenge,
    "code_challenge_method": "S256",
}
return redirect(client.construct_AuthorizationRequest(request_args=arguments).request(client.authorization_endpoint))`,
        finish: `query = request.query_string.decode()
answer = client.parse_response(AuthorizationResponse, info=query, sformat="urlencoded")
if answer.get("state") != session.get("state") or "code" not in answer:
    abort(400)
state = session["state"]
tokens = client.do_access_token_request(state=state, request_args={
    "code": answer["code"],
    "redirect_uri": ${py(redirectUri)},
    "code_verifier": session["verifier"],
})
if tokens["id_token"]["nonce"] != session["nonce"]:
    abort(400)
person = client.do_user_info_request(state=state, method="GET", behavior=["use_authorization_header"]).to_dict()
if person["sub"] != tokens["id_token"]["sub"]:
    abort(400)`,
      }))
}

/** `package`: the name on PyPI, if it is not that of the library. */
type About = { id: string; library: string; package?: string; version: string; packages: string }
type Parts = { imports: string; setUp: string; start: string; finish: string }

function flaskServer(app: SnippetApp, about: About, partsOf: (redirectUri: string) => Parts): Snippet | undefined {
  const redirectUri = webRedirect(app)
  const fits = app.kind === 'confidential' && !app.mustPush && !app.mustProve
  if (!fits || redirectUri === undefined) return undefined
  const file = `${about.id.replaceAll('-', '_')}_app.py`
  const isInsecure = app.issuer.startsWith('http:') || redirectUri.startsWith('http:')
  const insecure = isInsecure ? 'OAUTHLIB_INSECURE_TRANSPORT=1 AUTHLIB_INSECURE_TRANSPORT=1 ' : ''
  const packages = about.packages && ` ${about.packages}`
  return {
    id: about.id,
    library: about.library,
    version: about.version,
    install: `pip install ${about.package ?? about.library.toLowerCase()}==${about.version} flask${packages}`,
    file,
    code: flaskProgram(redirectUri, partsOf(redirectUri)),
    run: `SESSION_SECRET="$(openssl rand -base64 32)" ${insecure}${environmentOf(app)}python ${file}`,
    redirectUri,
  }
}

const flaskProgram = (redirectUri: string, { imports, setUp, start, finish }: Parts) => `${imports}

app = Flask(__name__)
# Signs the session cookie.
app.secret_key = os.environ["SESSION_SECRET"]
${setUp}

${homeOf(redirectUri)}
@app.get(${py(startPath(redirectUri))})
def start_sign_in():
${fourSpaces(start)}


@app.get(${py(new URL(redirectUri).pathname)})
def finish_sign_in():
${fourSpaces(finish)}
    # Begin your own session here. person["sub"] is the key of this person in your database.
    return dict(person)


app.run(${py(hostOf(redirectUri))}, ${portOf(redirectUri)})
`

/** The first page, with a link to the sign-in; an app whose redirect URI is this page has none. */
const homeOf = (redirectUri: string) =>
  new URL(redirectUri).pathname === '/'
    ? ''
    : `
@app.get("/")
def show_home():
    return ${py(`<a href="${startPath(redirectUri)}">Sign in</a>`)}

`

const fourSpaces = (text: string) => text.replaceAll(/^(?=.)/gm, '    ')
