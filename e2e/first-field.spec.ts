import { arrive } from './arrive.ts'
import { expect, test } from './postern.ts'

test.use({ settings: { DEMO: '1', TEAMS: 'open' } })

for (const viewport of [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport })

    // Not where a person has to read or scan first: the deletion of an account, and a new authenticator app.
    test('focuses the first field of a page with one purpose, and keeps its title in view', async ({
      page,
      postern,
    }) => {
      const email = `first-field-${viewport.width}@example.org`
      const { username } = await arrive(page, postern, '/console/new-team', { email })
      await page.locator('[name=name]').fill(`Garden of ${username}`)
      await page.locator('#team-create').click()
      await page.waitForURL(/\/console\/teams\//)
      const newApp = `${new URL(page.url()).pathname}/new-app?kind=`
      for (const [path, field] of [
        ['/account/hide-my-email/new', 'label'],
        [`${newApp}confidential`, 'name'],
        [`${newApp}api`, 'identifier'],
      ] as const) {
        await page.goto(path)
        const focused = await page.evaluate(() => (document.activeElement as HTMLInputElement).name)
        const top = await page.locator('h1').evaluate((title) => title.getBoundingClientRect().top)
        expect([path, focused, top >= 0]).toEqual([path, field, true])
      }
    })
  })
}
