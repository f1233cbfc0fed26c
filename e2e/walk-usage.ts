import { whenRelayHas } from './hide-from-app.ts'
import type { Walk } from './walker.ts'

const day = 86_400_000

/** Visits the usage and the health of the app on whose pages the walk is: without numbers, and with those of a year. */
export async function walkUsage({ page, server, keep }: Walk) {
  const app = new URL(page.url()).pathname.split('/').slice(0, 6).join('/')
  await page.goto(`${app}/usage`)
  await keep('console-usage-empty')
  await page.goto(`${app}/health`)
  await keep('console-health-empty')
  await whenRelayHas(server, (prisma) => prisma.appUsage.createMany({ data: numbersOf(app.split('/').at(-1) ?? '') }))
  await page.goto(`${app}/usage`)
  await keep('console-usage')
  await page.locator('main details summary').click()
  await keep('console-usage-table')
  await page.goto(`${app}/usage?days=365`)
  await keep('console-usage-year')
  await page.goto(`${app}/health`)
  await page.locator('main details summary').first().click()
  await keep('console-health')
}

/** Returns counts that rise over the year before today, whose requests of the walk the server counts itself, and requests without PKCE and with a constant state. */
function numbersOf(appId: string) {
  const yesterday = Date.now() - (Date.now() % day) - day
  const counts = { sign_ins: 90, new_people: 12, refreshes: 400, failures: 7, forwarded: 31, blocked: 3, replied: 5 }
  const seen = { no_pkce: 90, 'state repeated': 88, 'state strong': 2, 'nonce absent': 90, 'scope openid': 90 }
  const rows = Object.entries({ ...counts, ...seen, replayed_refreshes: 1 })
  return Array.from({ length: 365 }, (_, ago) =>
    rows.map(([what, count]) => ({
      appId,
      day: new Date(yesterday - ago * day),
      what,
      count: Math.ceil((count * (365 - ago) * (1 + (ago % 7))) / 2500),
    })),
  ).flat()
}
