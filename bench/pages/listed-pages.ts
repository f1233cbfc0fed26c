import { pageFolders, templateOf } from '#app/paths.ts'
import type { ServerProcess } from '../../e2e/server-process.ts'
import { allowed, password, requestOf, signIn, signInOwner, signUpOperator } from './installation.ts'
import { listSteps, stepPeople } from './step-pages.ts'
import { type List, linkIn, Visitor } from './visitor.ts'

/** A page to measure: its address, the Cookie header of the browser that shows it, and a text in it. */
export type ListedPage = {
  name: string
  url: URL
  cookie: () => string | Promise<string>
  shows: string
  status: number
  bytes: number
}

/** The people whose browsers show the pages. `edith` has no e-mail address. */
export const people = [
  ...stepPeople,
  { username: 'grace', password, name: 'Grace Hopper', nickname: 'Grace', email: 'grace@example.org' },
  { username: 'edith', password, name: 'Edith Clarke', nickname: 'Edith' },
]

/** Returns every page but those of development, with a state that real forms have made. */
export async function listPages(server: ServerProcess): Promise<ListedPage[]> {
  const listed: UnreadPage[] = []
  const list: List = async (name, visitor, page, { status = 200, shows = '</html>' } = {}) => {
    const { url } = typeof page === 'string' ? await visitor.open(page) : page
    const cookie = visitor.cookieWithoutMessage
    listed.push({ name, url, cookie: () => cookie, shows, status })
  }
  const grace = await signInOwner(server, 'grace')
  const { visitor: operator, codes } = await signUpOperator(server)
  // These are measured first, because some of them can be shown for ten minutes only.
  await listSteps(server, grace, operator, list)
  await listForStrangers(server, list)
  listed.push(await showProblem(new Visitor(server.accountUrl)))
  await listOfRequests(server, grace, list)
  await listAccount(grace, list)
  await listConsole(grace, list)
  const edith = await signInOwner(server, 'edith')
  const consent = await edith.open(requestOf(server, 'planner'))
  await list('bind an e-mail address', edith, await edith.submit(consent, '/consent/submit', allowed))
  await list('recovery codes after sign-up', operator, codes)
  for (const page of adminPages) await list(`admin ${page}`.trim(), operator, `/admin/${page}`.replace(/\/$/, ''))
  const { html } = await operator.open('/admin?q=grace')
  await list('admin person', operator, linkIn(html, '/admin/people/'))
  refuseForgotten(listed)
  return readPages(listed)
}

type UnreadPage = Omit<ListedPage, 'bytes'>

/** Reads the size of each page after all forms, because a form may change other pages. */
async function readPages(listed: UnreadPage[]): Promise<ListedPage[]> {
  const pages: ListedPage[] = []
  for (const page of listed) {
    const answer = await fetch(page.url, { headers: { cookie: await page.cookie() }, redirect: 'manual' })
    const html = await answer.text()
    if (answer.status !== page.status || !html.includes(page.shows))
      throw new Error(`The page ${page.name} is not shown; the status is ${answer.status}.`)
    pages.push({ ...page, bytes: Buffer.byteLength(html) })
  }
  return pages
}

/** Throws if a page is not listed. The pages of development exist in an installation for evaluation only. */
function refuseForgotten(listed: UnreadPage[]) {
  const forgotten = pageFolders.map(templateOf).filter((template) => {
    const shape = new RegExp(`^${template.replaceAll('{}', '[^/]+')}$`)
    return !template.startsWith('/dev/') && !listed.some(({ url }) => shape.test(url.pathname))
  })
  if (forgotten.length > 0) throw new Error(`The bench shows no page of ${forgotten.join(', ')}.`)
}

async function listForStrangers(server: ServerProcess, list: List) {
  const visitor = () => new Visitor(server.accountUrl)
  const pages = {
    home: '/',
    'home of the issuer': `${server.issuer}/`,
    'sign-in': '/signin?to=/account',
    'sign-in for an app': requestOf(server, 'planner'),
    'sign-up': '/signup?to=/account',
    recover: '/recover',
    'recover by code': '/recover/by-code',
  }
  for (const [name, page] of Object.entries(pages)) await list(name, visitor(), page)
  await list('error', visitor(), requestOf(server, 'no-such-app'), { status: 400 })
  await list('not found', visitor(), '/nothing', { status: 404 })
  // The front door keeps the home page and both sign-in pages, also for this browser (decision 0071).
  const returning = visitor()
  await returning.open(requestOf(server, 'planner'))
  await list('sign-in, a browser with an id', returning, '/signin?to=/account')
  // The front door keeps these three pages as well, and puts the remembered account into the sign-in pages (decision 0080).
  const signedOut = await signIn(server, 'grace')
  await signedOut.submit(await signedOut.open('/logout'), '/logout/submit')
  await list('home, signed out', signedOut, '/')
  await list('sign-in, a remembered person', signedOut, '/signin?to=/account')
  const { html: faces } = await signedOut.open('/signin?to=/account')
  const [, mark] = /value="([^"]+)"[^>]*name="who"/.exec(faces) ?? []
  if (!mark) throw new Error('The sign-in page shows no remembered account.')
  await list('sign-in, a chosen face', signedOut, `/signin?to=/account&who=${mark}`, { shows: 'aria-current="true"' })
  const newcomer = visitor()
  const { html } = await newcomer.open(requestOf(server, 'planner'))
  await list('sign-up for an app', newcomer, linkIn(html, '/signup[?]request='))
  const forgetful = visitor()
  const recover = await forgetful.open('/recover')
  await list('recover, code', forgetful, await forgetful.submit(recover, '/recover/submit', { login: 'grace' }))
}

/** The sign-in page after its form was sent without a password. It shows the problem for two minutes. */
async function showProblem(visitor: Visitor): Promise<UnreadPage> {
  const fail = async () => visitor.submit(await visitor.open('/signin?to=/account'), '/signin/submit')
  const { url } = await fail()
  const cookie = async () => {
    await fail()
    return visitor.cookie
  }
  return { name: 'sign-in, with a problem', url, cookie, shows: 'aria-invalid="true"', status: 200 }
}

/** The pages of a request of an app, and the consent that the pages of the account show. */
async function listOfRequests(server: ServerProcess, grace: Visitor, list: List) {
  await list('consent', grace, requestOf(server, 'planner'))
  await list('choose an account', grace, requestOf(server, 'planner', { prompt: 'select_account' }))
  await list('confirm the sign-in', grace, requestOf(server, 'planner', { prompt: 'login' }))
  await list('offer of a passkey', grace, '/passkey/offer?to=/account')
  await list('sign-out', grace, '/logout')
  const consent = await grace.open(requestOf(server, 'calendar'))
  await grace.submit(consent, '/consent/submit', allowed)
}

async function listAccount(grace: Visitor, list: List) {
  for (const page of accountPages) await list(`account ${page}`.trim(), grace, `/account/${page}`.replace(/\/$/, ''))
  const { html } = await grace.open('/account/hide-my-email')
  await list('account hide-my-email, address', grace, linkIn(html, '/account/hide-my-email/(?!new")'))
  const change = await grace.open('/account/email/change')
  const code = await grace.submit(change, '/account/email/submit', { address: 'grace@example.net' })
  await list('account email, code', grace, code)
}

const accountPages = [
  ...['', 'profile', 'apps', 'apps/calendar', 'activity', 'activity/secure', 'data', 'data/delete'],
  ...['email', 'email/change', 'email/remove', 'hide-my-email', 'hide-my-email/new'],
  ...['security', 'security/password', 'security/passkeys', 'security/authenticator', 'security/codes'],
]

async function listConsole(grace: Visitor, list: List) {
  await list('console', grace, '/console')
  await list('console new-team', grace, '/console/new-team')
  await list('console docs', grace, '/console/docs/integrate')
  const team = '/console/teams/bench'
  for (const page of teamPages) await list(`console team ${page}`.trim(), grace, `${team}/${page}`.replace(/\/$/, ''))
  for (const page of appPages)
    await list(`console app ${page}`.trim(), grace, `${team}/apps/planner/${page}`.replace(/\/$/, ''))
}

const teamPages = ['', 'members', 'settings', 'activity', 'domain', 'apis', 'api', 'new-app', 'new-app?kind=public']
const appPages = [
  ...['', 'connect', 'credentials', 'settings', 'health', 'usage', 'failures', 'events', 'mail', 'try', 'transfer'],
]
const adminPages = [
  ...['', 'teams', 'teams/bench', 'apps/planner', 'failures', 'scopes', 'invitations', 'system', 'record'],
]
