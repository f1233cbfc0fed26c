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

type About = { id: string; library: string; version: string; packages: string }
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
    install: `pip install ${about.library.toLowerCase()}==${about.version} flask${packages}`,
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

const fourSpaces = (text: string) => text.replaceAll(/^(?=.)/gm, '    ')
