import { generateKeyPairSync } from 'node:crypto'
import { walkEvents } from './walk-events.ts'
import { walkFailures } from './walk-failures.ts'
import { walkMailAndLogo } from './walk-proof.ts'
import { walkUsage } from './walk-usage.ts'
import type { Walk } from './walker.ts'

/** Visits the pages about the apps of a team: each kind is registered, changed, closed and deleted. */
export async function walkTeamApps(walk: Walk, team: string) {
  await serverApp(walk, team)
  await credentials(walk)
  await walkFailures(walk)
  const overview = walk.page.url()
  await walkUsage(walk)
  await walkEvents(walk)
  await walkMailAndLogo(walk)
  await walk.page.goto(overview)
  await settings(walk)
  await closing(walk)
  await otherKinds(walk, team)
}

async function serverApp({ page, keep }: Walk, team: string) {
  await page.goto(team)
  await page.locator('a[href$="/new-app"]').click()
  await keep('console-new-app-kind')
  await page.locator('#kind-confidential').click()
  await page.locator('details summary').click()
  await keep('console-new-app')
  await page.locator('[name=redirect_uris]').fill('https://a.example/callback#x\n/callback')
  await page.locator('#app-register').click()
  await keep('console-new-app-problems')
  await page.locator('[name=name]').fill('Garden planner')
  await page.locator('[name=redirect_uris]').fill('https://garden.example/callback')
  await page.locator('#app-register').click()
  await page.locator('#app-secret').waitFor()
  await keep('console-app-registered')
}

async function credentials({ page, keep }: Walk) {
  await page.locator('#secret-add').click()
  await page.locator('#app-secret').waitFor()
  await keep('console-app-two-secrets')
  await page.locator('details summary').first().click()
  await keep('console-app-remove-secret')
  await page.locator('details[open] button').click()
  await keep('console-app-secret-removed')
  await page.goto(page.url().replace('/credentials', ''))
  await keep('console-app')
}

async function settings({ page, keep }: Walk) {
  await page.goto(`${page.url()}/settings`)
  await keep('console-app-settings')
  const stale = await page.locator('[name=version]').inputValue()
  await page.locator('[name=homepage]').fill('https://garden.example/')
  await page.locator('#app-change').click()
  await keep('console-app-changed')
  await page.locator('[name=name]').fill('')
  await page.locator('[name=tos_uri]').fill('garden')
  await page.locator('#app-change').click()
  await keep('console-app-settings-problems')
  await page.locator('[name=name]').fill('Garden planner')
  await page.locator('[name=tos_uri]').fill('')
  // The page of a second editor, who read the app before the change.
  await page.locator('[name=version]').evaluate((field: HTMLInputElement, version) => {
    field.value = version
  }, stale)
  await page.locator('#app-change').click()
  await keep('console-app-stale')
}

async function closing({ page, keep }: Walk) {
  await page.locator('[commandfor=app-state-dialog]').first().click()
  await keep('console-app-close')
  await page.locator('#app-state').click()
  await keep('console-app-closed')
  await page.locator('#app-state').click()
  await page.locator('[name=confirm]').fill('Another name')
  await page.locator('#app-delete').click()
  await keep('console-app-delete-problem')
  await page.locator('[name=confirm]').fill('Garden planner')
  await page.locator('#app-delete').click()
  await keep('console-app-deleted')
  await page.locator('#app-keep').click()
  await keep('console-app-kept')
}

async function otherKinds({ page, keep }: Walk, team: string) {
  await page.goto(`${team}/new-app?kind=assertion`)
  await page.locator('[name=name]').fill('Night robot')
  await page.locator('[name=redirect_uris]').fill('https://robot.example/callback')
  await page.locator('#app-register').click()
  await keep('console-new-app-key-problem')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await page.locator('[name=key]').fill(String(publicKey.export({ format: 'pem', type: 'spki' })))
  await page.locator('#app-register').click()
  await keep('console-app-without-secret')
  await page.goto(`${page.url()}/credentials`)
  await keep('console-app-with-key')
  await page.locator('[name=key]').fill('no key')
  await page.locator('#key-add').click()
  await keep('console-app-key-problem')
  await page.locator('[name=jwks_uri]').fill('https://robot.example/jwks')
  await page.locator('#key-address').click()
  await keep('console-app-key-address')
  await page.goto(`${team}/new-app?kind=public`)
  await page.locator('[name=name]').fill('Pocket garden')
  await page.locator('[name=redirect_uris]').fill('https://pocket.example/callback\ncom.example.pocket:/callback')
  await page.locator('#app-register').click()
  await page.goto(`${page.url()}/credentials`)
  await keep('console-app-public')
  await page.goto(team)
  await keep('console-team-apps')
}
