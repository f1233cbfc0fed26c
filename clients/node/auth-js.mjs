import { createServer } from 'node:http'
import { Auth, skipCSRFCheck } from '@auth/core'
import { appUrl, clientId, clientSecret, fail, issuer, sendClaims } from './serve.mjs'

const config = {
  providers: [{ id: 'postern', name: 'Postern', type: 'oidc', issuer, clientId, clientSecret }],
  callbacks: {
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({ ...session, sub: token.sub }),
  },
  secret: 'a secret of the tests',
  trustHost: true,
  // The test starts the sign-in with a link. An app uses the form of Auth.js, which has a CSRF token.
  skipCSRFCheck,
}

createServer(async (incoming, response) => {
  const url = new URL(incoming.url, appUrl)
  try {
    const headers = { cookie: incoming.headers.cookie ?? '', 'content-type': 'application/x-www-form-urlencoded' }
    const start = new Request(`${appUrl}/auth/signin/postern`, {
      method: 'POST',
      headers,
      body: 'callbackUrl=/auth/session',
    })
    const request = url.pathname === '/sign-in' ? start : new Request(url, { headers })
    const answer = await Auth(request, config)
    if (url.pathname === '/auth/session') {
      const { sub, user } = await answer.json()
      sendClaims(response, { sub, ...user })
    } else {
      for (const cookie of answer.headers.getSetCookie()) response.appendHeader('set-cookie', cookie)
      response.writeHead(answer.status, { location: answer.headers.get('location') ?? '' }).end(await answer.text())
    }
  } catch (fault) {
    fail(response, fault)
  }
}).listen(Number(new URL(appUrl).port), 'localhost')
