import { requestOf, type Walk } from './walker.ts'

const app = 'garden-app'
const resource = 'https://api.garden.example'

/**
 * Visits the consent to an API (RFC 8707) and to a claim of the parameter `claims` (OpenID Connect Core §5.5), and the
 * sign-out that an app requests in a browser with several accounts.
 */
export async function walkApps(walk: Walk) {
  await register(walk)
  await consents(walk)
  await walk.page.goto(`${walk.server.issuer}/oauth2/logout?client_id=${app}`)
  await walk.keep('sign-out-several-for-app')
}

/** Registers an app of the profile `oidc`, and the API of its team. */
async function register({ server }: Walk) {
  const registered = {
    client_id: app,
    name: 'Garden Planner',
    kind: 'confidential',
    profile: 'oidc',
    client_secret: 'a-secret-of-sixteen-characters',
    redirect_uris: [`${server.demoUrl}/callback`],
    scopes: ['openid', 'name', 'nickname', 'email'],
    email: 'optional',
  }
  const apis = [{ identifier: resource, name: 'Garden Beds', scopes: ['beds.read', 'beds.write'] }]
  await server.apply({ teams: [{ id: 'garden', name: 'The Garden', apps: [registered], apis }] })
}

async function consents(walk: Walk) {
  const { page, keep } = walk
  await ask(walk, { scope: 'openid name beds.read beds.write', resource })
  await keep('consent-api')
  await page.locator('[name=scope][value="beds.write"]').uncheck()
  await page.locator('#consent-allow').click()
  await page.waitForURL(/\/callback/)
  await ask(walk, { scope: 'openid', claims: JSON.stringify({ userinfo: { nickname: { essential: true } } }) })
  await keep('consent-claims')
  await ask(walk, { scope: 'openid name email beds.read', resource })
  await keep('consent-api-settled')
  await ask(walk, { scope: 'openid name beds.read', resource, prompt: 'consent' })
  await keep('consent-api-again')
  await page.goto(`/account/apps/${app}`)
  await keep('account-app-api')
}

/** Opens the app's authorization request with these parameters. */
const ask = ({ page, server }: Walk, more: Record<string, string>) =>
  page.goto(`${server.issuer}/oauth2/authorize?${requestOf(server, { client_id: app, ...more })}`)
