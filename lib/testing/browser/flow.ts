import { acme, callback, type Options, type Postern, verifier } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'
import { type Arrival, openBrowser } from './browser.ts'

const [first, other] = acme.teams
const native = {
  ...first?.apps[2],
  client_id: 'acme-native',
  name: 'Acme Native',
  redirect_uris: ['http://127.0.0.1:9000/callback', 'org.acme.app:/callback'],
}

/** The teams and people of the tests, and a native app. */
export const flowProvision = { ...acme, teams: [{ ...first, apps: [...(first?.apps ?? []), native] }, other] }

/**
 * Shares one Postern between the tests of a file. Each test gets a new browser and starts without sessions, consents,
 * counted attempts and letters underway.
 */
export function shareFlow(options: Options = {}) {
  const postern = sharePostern({ provision: flowProvision, ...options })
  return async () => {
    await forget(postern)
    return startFlow(postern)
  }
}

/** Returns a Postern with a browser and shortcuts for the steps of an authorization. */
export function startFlow(postern: Postern) {
  const { context } = postern
  const exchange = ({ parameters: { code } }: Arrival) =>
    postern.token({ grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier })
  return {
    ...postern,
    prisma: context.database.prisma,
    browser: openBrowser(context),
    exchange,
    tokens: async (arrival: Arrival) => (await exchange(arrival)).json(),
    personId: async (username: string) =>
      (await context.database.prisma.person.findUniqueOrThrow({ where: { username } })).id,
  }
}

async function forget({ context: { database, letters } }: Postern) {
  const { prisma } = database
  // The previous test may not have waited for its letters; they would arrive among those of this test.
  await letters.settled()
  await prisma.authorization.deleteMany()
  await prisma.consent.deleteMany()
  await prisma.alias.deleteMany()
  await prisma.activity.deleteMany()
  await prisma.session.deleteMany()
  await prisma.subject.deleteMany()
  await prisma.attempt.deleteMany()
  await prisma.person.updateMany({ data: { disabledAt: null } })
}

/** Returns the path of a page of Postern, or the app's URL without its query. */
export const placeOf = ({ url }: Arrival): string =>
  url.origin === 'http://localhost:3001' ? url.pathname : url.href.replace(/\?.*/, '')
