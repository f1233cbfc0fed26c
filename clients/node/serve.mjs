// The settings of the apps in this folder, and their web server with /sign-in and /callback.
import { createServer } from 'node:http'

export const { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, APP_URL: appUrl } = process.env
export const redirectUri = `${appUrl}/callback`

/** Serves an app. `signIn` returns the address of the request; `finish` gets the answer and returns the claims. */
export function serve({ signIn, finish }) {
  createServer(async (request, response) => {
    const url = new URL(request.url, appUrl)
    try {
      if (url.pathname === '/sign-in') response.writeHead(303, { location: String(await signIn()) }).end()
      else sendClaims(response, await finish(url))
    } catch (fault) {
      fail(response, fault)
    }
  }).listen(Number(new URL(appUrl).port), 'localhost')
}

/** Shows the result of a sign-in. */
export function sendClaims(response, claims) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(claims))
}

/** Shows why a sign-in failed. */
export function fail(response, fault) {
  response.writeHead(500, { 'content-type': 'text/plain' })
  response.end([fault?.stack, fault?.cause && JSON.stringify(fault.cause)].filter(Boolean).join('\n'))
}
