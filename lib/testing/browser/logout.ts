import { expect } from 'vitest'
import type { Arrival } from './browser.ts'
import { flowProvision, placeOf, shareFlow, type startFlow } from './flow.ts'

export const bye = 'https://acme.example/bye'
const [acme, other] = flowProvision.teams
const [web, ...rest] = acme?.apps ?? []
const leaving = { ...web, post_logout_redirect_uris: [bye, `${bye}?kept=1`] }
const foreign = { ...other?.apps[0], post_logout_redirect_uris: ['https://other.example/bye'] }
const provision = {
  ...flowProvision,
  teams: [
    { ...acme, apps: [leaving, ...rest] },
    { ...other, apps: [foreign] },
  ],
}

export type Asked = Record<string, string | undefined> | string
const queryOf = (asked: Asked) =>
  typeof asked === 'string'
    ? asked
    : new URLSearchParams(Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined))

/** Shares one Postern between the tests of a file; returns functions that set up a logout test. */
export function shareLogout() {
  const start = shareFlow({ provision })
  const setUp = async () => withSteps(await start())
  return { setUp, setUpSignedIn: async () => withPerson(await setUp()) }
}

/** Adds the steps of a logout. */
function withSteps(started: ReturnType<typeof startFlow>) {
  const { browser, context } = started
  const endpoint = `${context.config.issuer}/oauth2/logout`
  const leave = (asked: Asked = {}, one = browser) => one.visit(`${endpoint}?${queryOf(asked)}`)
  /** Confirms the logout on the page that asks for confirmation. */
  const confirm = async ({ parameters: { request } }: Arrival, one = browser) =>
    one.post('/logout/submit', { request, session: await one.shownSession() })
  /** Returns the error of a silent request, or undefined if the person is signed in. */
  const silent = async () => (await browser.authorize({ prompt: 'none' })).parameters.error
  const problem = async (asked: Asked) => (await browser.problemOn(await leave(asked)))?.kind
  return { ...started, endpoint, leave, confirm, silent, problem }
}

/** Signs a person in to the app; `hint` is the app's ID token. */
async function withPerson(started: ReturnType<typeof withSteps>) {
  const { browser, tokens } = started
  const signIn = async (fields = {}) => {
    const page = await browser.signIn(await browser.authorize({ prompt: 'login' }), fields)
    const back = placeOf(page) === '/consent' ? await browser.decide(page) : page
    return (await tokens(back)).id_token as string
  }
  const asked = (arrival: Arrival) => expect(placeOf(arrival)).toBe('/logout')
  return { ...started, signIn, hint: await signIn(), asked }
}
