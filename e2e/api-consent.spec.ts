import * as client from 'openid-client'
import { localeNames, locales, messagesFor } from '#lib/text/messages'
import { shareAppServer } from './app-server.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import { signIn } from './sign-in.ts'

const secret = 'a-secret-of-sixteen-characters'
/** One person for each script mode: the worker's server is shared, and remembers a consent. */
const personFor = (script: boolean) => ({
  username: script ? 'apiana' : 'apollo',
  password: 'correct horse battery',
  name: 'Api A.',
})
const resource = 'https://api.acme.example'
const api = { identifier: resource, name: 'Acme Orders', scopes: ['orders.read', 'orders.write'] }
const appServer = shareAppServer()

test.use({ viewport: { width: 320, height: 640 } })

withAndWithoutScript(() => {
  test('asks in four languages for the scopes of an API, and openid-client gets a token for the API alone', async ({
    page,
    postern,
    javaScriptEnabled,
  }) => {
    const person = personFor(javaScriptEnabled)
    const acme = { client_id: 'orders-app', name: 'Acme Web', kind: 'confidential', client_secret: secret }
    const apps = [{ ...acme, redirect_uris: [appServer.redirectUri], scopes: ['openid', 'name'] }]
    await postern.apply({ teams: [{ id: 'acme-orders', name: 'Acme', apps, apis: [api] }], people: [person] })
    const basic = client.ClientSecretBasic(secret)
    const options = { execute: [client.allowInsecureRequests] }
    const config = await client.discovery(new URL(postern.issuer), acme.client_id, {}, basic, options)
    const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: appServer.redirectUri,
      scope: 'openid name orders.read orders.write',
      resource,
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    await page.goto(url.href)
    await signIn(page, person)
    for (const locale of [...locales].reverse()) {
      await page.getByRole('button', { name: localeNames[locale], exact: true }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      const legend = messagesFor(locale).consent.api
      await expect(page.getByText(legend.replace('{app}', acme.name).replace('{api}', api.name))).toBeVisible()
    }
    await expectAccessible(page)
    await page.locator('[name=scope][value="orders.write"]').uncheck()
    await page.locator('#consent-allow').click()
    await page.waitForURL(`${appServer.redirectUri}?**`)
    const checks = { pkceCodeVerifier, expectedState }
    const tokens = await client.authorizationCodeGrant(config, new URL(page.url()), checks, { resource })
    expect(tokens.scope).toBe('orders.read')
    await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow()
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(await client.fetchUserInfo(config, next.access_token, client.skipSubjectCheck)).toMatchObject({
      name: 'Api A.',
    })
    await page.goto(`${postern.accountUrl}/account/apps/${acme.client_id}`)
    await expect(page.locator('[name=scope][value="orders.read"]')).toBeChecked()
    await expect(page.locator('[name=scope][value="orders.write"]')).not.toBeChecked()
    await expectAccessible(page)
  })
})
