import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../../e2e/server-process.ts'
import { allowed, changeDatabase, password, requestOf, signIn } from './installation.ts'
import { type List, linkIn, Visitor } from './visitor.ts'

/** The people of these pages. `marlyn` has no e-mail address. */
export const stepPeople = ['frances', 'jean', 'kay', 'marlyn', 'peggy'].map((username) => ({
  username,
  password,
  name: username,
  nickname: username,
  ...(username !== 'marlyn' && { email: `${username}@example.org` }),
}))

/** Lists the pages behind a letter, an invitation, an offer or a first proof. */
export async function listSteps(server: ServerProcess, owner: Visitor, operator: Visitor, list: List) {
  await listOfEmail(server, list)
  await listRecovery(server, list)
  await listConsoleLinks(server, owner, list)
  await listOfFactors(server, operator, list)
}

/** The pages about a changed address, one that no longer accepts mail, and a new one for an app. */
async function listOfEmail(server: ServerProcess, list: List) {
  const frances = await signIn(server, 'frances')
  const address = 'frances@example.net'
  const code = await frances.submit(await frances.open('/account/email/change'), '/account/email/submit', { address })
  await frances.submit(code, '/account/email/verify', { code: await readCode(frances, address) })
  const undo = await readLetter(frances, 'frances@example.org', addressOf('/undo-email'))
  await list('undo a change of the e-mail address', new Visitor(server.accountUrl), undo)
  await changeDatabase(server, ({ prisma }) =>
    prisma.person.update({ where: { username: 'frances' }, data: { mailPausedAt: new Date() } }),
  )
  await list('account email, confirm', frances, '/account/email/confirm')
  const marlyn = await signIn(server, 'marlyn')
  const consent = await marlyn.open(requestOf(server, 'planner'))
  const bind = await marlyn.submit(consent, '/consent/submit', allowed)
  const sent = await marlyn.submit(bind, '/bind-email/submit', { address: 'marlyn@example.org' })
  await list('bind an e-mail address, code', marlyn, sent)
}

/** The recovery by the code of a letter, and the end of one by an operator's link. */
async function listRecovery(server: ServerProcess, list: List) {
  const jean = new Visitor(server.accountUrl)
  const asked = await jean.submit(await jean.open('/recover'), '/recover/submit', { login: 'jean' })
  const proven = await jean.submit(asked, '/recover/verify', { code: await readCode(jean, 'jean@example.org') })
  await list('recover, new password', jean, proven)
  // The review names the sessions that the recovery has ended.
  await signIn(server, 'kay')
  const kay = new Visitor(server.accountUrl)
  const form = await kay.open(JSON.parse(await server.cli('user', 'reset', 'kay')).url)
  await list(
    'recover, review',
    kay,
    await kay.submit(form, '/recover/finish', { password: `${password} again`, browsers: 'end' }),
  )
}

async function listConsoleLinks(server: ServerProcess, owner: Visitor, list: List) {
  const members = await owner.open('/console/teams/bench/members')
  const invited = await owner.submit(members, '/console/team/invite', { role: 'developer', address: '' })
  await list('console join', await signIn(server, 'jean'), addressOf('/console/join').exec(invited.html)?.[0] ?? '')
  const created = await owner.submit(await owner.open('/console/new-team'), '/console/new-team/submit', {
    name: 'Loft',
  })
  const [, to_own = ''] = /teams\/([^/]+)/.exec(created.url.pathname) ?? []
  const transfer = await owner.open('/console/teams/bench/apps/calendar/transfer')
  await owner.submit(transfer, '/console/app/offer', { to_own, to: '' })
  const { html } = await owner.open(`/console/teams/${to_own}`)
  await list('console offer of an app', owner, linkIn(html, `/console/teams/${to_own}/offers/`))
}

async function listOfFactors(server: ServerProcess, operator: Visitor, list: List) {
  await changeDatabase(server, async ({ prisma }) => {
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: 'peggy' } })
    const factor = { sealedSecret: 'sealed', lastStep: 0, createdAt: new Date() }
    await prisma.totp.create({ data: { personId, ...factor } })
  })
  const peggy = new Visitor(server.accountUrl)
  const form = await peggy.open('/signin?to=/account')
  await list('second factor', peggy, await peggy.submit(form, '/signin/submit', { username: 'peggy', password }))
  const { html } = await operator.open('/admin?q=peggy')
  const person = await operator.open(linkIn(html, '/admin/people/'))
  await operator.submit(person, '/admin/person/act', { act: 'reset_factors', reason: 'a lost phone' })
  const keep = await readLetter(operator, 'peggy@example.org', addressOf('/keep-factors'))
  await list('keep the second factor', new Visitor(server.accountUrl), keep)
  await server.cli('operator', 'add', 'marlyn')
  await list('admin second factor', await signIn(server, 'marlyn'), '/admin')
}

/** Returns the code in a letter to an address. */
const readCode = (visitor: Visitor, address: string) => readLetter(visitor, address, /(?<=^\s*)\d{6}$/m)

/** Waits for a letter to an address, in the mailbox of an evaluation, and returns the text in it that matches. */
async function readLetter(visitor: Visitor, address: string, wanted: RegExp): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const { html } = await visitor.open('/dev/inbox')
    const letters = html.match(/<li>[\s\S]*?<\/li>/g)?.filter((one) => one.includes(address)) ?? []
    for (const letter of letters) {
      const [text] = wanted.exec((await visitor.open(linkIn(letter, '/dev/inbox/'))).html) ?? []
      if (text) return text
    }
    await sleep(100)
  }
  throw new Error(`No letter to ${address} has ${wanted}.`)
}

/** Finds an address of a page that a letter or another page names as text. */
const addressOf = (path: string) => new RegExp(`http[^\\s<>"]+${path}[^\\s<>"&]*`)
