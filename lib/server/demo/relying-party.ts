import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client'
import {
  cancelledPage,
  endedPage,
  failedPage,
  relayAddressOf,
  type SignedIn,
  signedInPage,
  signedOutHerePage,
  signedOutPage,
  startPage,
  type Ways,
} from './pages.ts'
import { demoApp, signedOutPath } from './seed.ts'
import type { SendMessage } from './send-message.ts'

type Started = { state: string; nonce: string; verifier: string }
/** `leaving` is the `state` of the last logout that this visitor was sent to. */
type Visitor = { started?: Started; signedIn?: SignedIn; leaving?: string }

type Demo = { issuer: string; url: string; sendMessage: SendMessage; ways: Ways }

/** Starts an app that signs people in with a stock client library and discovery, as any server app does. */
export async function startRelyingParty(options: Demo & { host: string; port: number }): Promise<Server> {
  const visitors = new Map<string, Visitor>()
  const server = createServer((incoming, outgoing) => {
    answer(options, visitors, incoming, outgoing).catch((fault: unknown) =>
      isCancelled(fault) ? show(outgoing, cancelledPage()) : show(outgoing, failedPage(reasonOf(fault)), 400),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return server
}

const isCancelled = (fault: unknown) =>
  (fault as { error_description?: string }).error_description === 'The person did not finish the request.'

/** Returns the provider's description of the error, if there is one. */
function reasonOf(fault: unknown): string {
  const { error_description, message } = fault as { error_description?: string; message?: string }
  return error_description ?? message ?? 'The sign-in failed for an unknown reason.'
}

async function answer(
  { issuer, url, sendMessage, ways }: Demo,
  visitors: Map<string, Visitor>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const at = new URL(incoming.url ?? '/', url)
  const visitor = recognise(visitors, incoming, outgoing)
  const client = await discovery(new URL(issuer), demoApp.clientId, {}, ClientSecretBasic(demoApp.clientSecret), {
    execute: [allowInsecureRequests],
  })
  switch (`${incoming.method} ${at.pathname}`) {
    case 'GET /':
      return show(outgoing, visitor.signedIn ? signedInPage(visitor.signedIn, ways) : startPage())
    case 'POST /signin':
      return go(outgoing, await startSignIn(client, visitor, url))
    case 'GET /callback':
      await finishSignIn(client, visitor, at)
      return go(outgoing, '/')
    case 'POST /refresh':
      return (await refresh(client, visitor)) ? go(outgoing, '/') : show(outgoing, endedPage())
    case 'POST /message':
      await writeTo(visitor, sendMessage, ways)
      return go(outgoing, '/#next')
    case 'POST /signout':
      return go(outgoing, await signOut(client, visitor, url))
    case `GET ${signedOutPath}`:
      return cameFromLogout(visitor, at) ? show(outgoing, signedOutPage()) : go(outgoing, '/')
    case 'POST /signout-here':
      await endSession(client, visitor)
      return go(outgoing, '/signed-out-here')
    case 'GET /signed-out-here':
      return visitor.signedIn ? go(outgoing, '/') : show(outgoing, signedOutHerePage())
    default:
      return show(outgoing, failedPage('Page not found.'), 404)
  }
}

async function startSignIn(client: Configuration, visitor: Visitor, url: string): Promise<string> {
  const started = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  visitor.started = started
  return buildAuthorizationUrl(client, {
    redirect_uri: `${url}/callback`,
    scope: 'openid name nickname picture preferred_username locale email',
    state: started.state,
    nonce: started.nonce,
    code_challenge: await calculatePKCECodeChallenge(started.verifier),
    code_challenge_method: 'S256',
  }).href
}

async function finishSignIn(client: Configuration, visitor: Visitor, at: URL) {
  const { started } = visitor
  if (!started) throw new Error('This sign-in was not started in this browser. Start again.')
  delete visitor.started
  const tokens = await authorizationCodeGrant(client, at, {
    pkceCodeVerifier: started.verifier,
    expectedState: started.state,
    expectedNonce: started.nonce,
    idTokenExpected: true,
  })
  const idToken = tokens.claims()
  visitor.signedIn = {
    tokens,
    idToken,
    userinfo: await fetchUserInfo(client, tokens.access_token, idToken?.sub ?? ''),
    refreshed: 0,
    messages: 0,
  }
}

/** Refreshes the tokens; returns false if the app's access was ended, so that the visitor must sign in again. */
async function refresh(client: Configuration, visitor: Visitor): Promise<boolean> {
  const { signedIn } = visitor
  if (!signedIn?.tokens.refresh_token) throw new Error('There is nothing to refresh. Sign in first.')
  const tokens = await refreshTokenGrant(client, signedIn.tokens.refresh_token).catch(unlessEnded)
  if (!tokens) {
    delete visitor.signedIn
    return false
  }
  signedIn.userinfo = await fetchUserInfo(client, tokens.access_token, (signedIn.idToken as { sub: string }).sub)
  signedIn.tokens = tokens
  signedIn.refreshed++
  return true
}

/** Sends a message to the relay address that the visitor shared. */
async function writeTo({ signedIn }: Visitor, sendMessage: SendMessage, ways: Ways) {
  const to = signedIn && relayAddressOf(signedIn, ways)
  if (!signedIn || to === undefined)
    throw new Error('This app knows no relay address of yours. Sign in first, and hide your address.')
  await sendMessage(to, (signedIn.userinfo as { name?: string }).name ?? 'you')
  signedIn.messages++
}

function unlessEnded(fault: unknown): undefined {
  if ((fault as { error?: string }).error !== 'invalid_grant') throw fault
}

/** Ends the session of this app, and returns the address that ends the session at the provider. */
async function signOut(client: Configuration, visitor: Visitor, url: string): Promise<string> {
  const idToken = await endSession(client, visitor)
  if (!idToken) return '/'
  visitor.leaving = randomState()
  // RP-Initiated Logout 1.0 §2: the hint spares the person a question.
  return buildEndSessionUrl(client, {
    id_token_hint: idToken,
    post_logout_redirect_uri: `${url}${signedOutPath}`,
    state: visitor.leaving,
  }).href
}

const cameFromLogout = ({ leaving, signedIn }: Visitor, at: URL) =>
  leaving !== undefined && !signedIn && at.searchParams.get('state') === leaving

/** Ends the session of this app alone and revokes its tokens. Returns the last ID token. */
async function endSession(client: Configuration, visitor: Visitor): Promise<string | undefined> {
  const tokens = visitor.signedIn?.tokens
  delete visitor.signedIn
  if (tokens?.refresh_token) await tokenRevocation(client, tokens.refresh_token)
  return tokens?.id_token
}

const cookie = 'postern-demo-visitor'
const mostVisitors = 1000

function recognise(visitors: Map<string, Visitor>, incoming: IncomingMessage, outgoing: ServerResponse): Visitor {
  const id = new RegExp(`${cookie}=([\\w-]+)`).exec(incoming.headers.cookie ?? '')?.[1]
  const known = id && visitors.get(id)
  if (known) return known
  const visitor: Visitor = {}
  const fresh = randomBytes(16).toString('base64url')
  if (visitors.size >= mostVisitors) visitors.clear()
  visitors.set(fresh, visitor)
  outgoing.setHeader('set-cookie', `${cookie}=${fresh}; Path=/; HttpOnly; SameSite=Lax`)
  return visitor
}

function go(outgoing: ServerResponse, location: string) {
  outgoing.writeHead(303, { location }).end()
}

function show(outgoing: ServerResponse, page: string, status = 200) {
  outgoing.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page)
}
