import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import { expect, test, withAndWithoutScript } from './postern.ts'
import { signIn } from './sign-in.ts'

const person = { username: 'paula', password: 'correct horse battery' }

withAndWithoutScript(() => {
  test('posts code, state and iss to the app with response_mode=form_post', async ({
    page,
    postern,
    javaScriptEnabled,
  }) => {
    const { promise: arrived, resolve } = Promise.withResolvers<URLSearchParams>()
    const app = createServer(async (incoming, outgoing) => {
      if (incoming.method === 'POST') resolve(new URLSearchParams(await text(incoming)))
      outgoing.end('back at the app')
    })
    await new Promise<void>((ready) => app.listen(0, '127.0.0.1', ready))
    const redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`
    const declared = {
      name: 'Acme',
      kind: 'public',
      redirect_uris: [redirectUri],
      scopes: ['openid'],
      client_id: `post-${javaScriptEnabled}`,
    }
    await postern.apply({ teams: [{ id: 'acme', name: 'Acme', apps: [declared] }], people: [person] })
    const state = 'a "state" <with> & 🔑'
    const query = new URLSearchParams({
      client_id: declared.client_id,
      response_type: 'code',
      response_mode: 'form_post',
      redirect_uri: redirectUri,
      scope: 'openid',
      state,
      code_challenge: await calculatePKCECodeChallenge(randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    })
    await page.goto(`${postern.issuer}/oauth2/authorize?${query}`)
    await signIn(page, person)
    await page.locator('#consent-allow').click()
    // Without script, the person presses the only button of the page.
    if (!javaScriptEnabled) await page.getByRole('button').click()
    const answer = await arrived
    expect([answer.get('state'), answer.get('iss')]).toEqual([state, postern.issuer])
    expect(answer.get('code')).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
    app.close()
    app.closeAllConnections()
  })
})
