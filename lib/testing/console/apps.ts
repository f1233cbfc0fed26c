import { answerAppChange } from '#lib/console/app/change-app'
import { answerAppRegistration } from '#lib/console/app/register-app'
import { openAccount } from '#lib/testing/browser/account'
import type { Postern } from '#lib/testing/process/postern'

type Account = Awaited<ReturnType<typeof openAccount>>
type Handler = Parameters<Account['fill']>[0]
type Fields = Record<string, string | string[]>

/** The form of a new web app. */
export const webApp = {
  shown: ['name', 'kind', 'redirect_uris', 'scopes', 'email'],
  name: 'New App',
  kind: 'confidential',
  redirect_uris: 'https://acme.example/cb\r\n\r\n https://acme.example/cb2 ',
  scopes: ['name', 'email'],
  email: 'optional',
}

/** Returns functions that send the forms of the apps of the team acme. */
export function openApps(postern: Postern) {
  /** Opens the account of ada, as a member of the team acme with this role. */
  const member = async (role = 'developer', username = 'ada') => {
    const account = await openAccount(postern, username)
    const key = { teamId: 'acme', personId: account.personId }
    const row = { role, createdAt: postern.context.now() }
    await postern.context.database.prisma.member.upsert({
      where: { teamId_personId: key },
      create: { ...key, ...row },
      update: row,
    })
    return account
  }
  const send = async (account: Account, handler: Handler, fields: Fields, form: string) => {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries({ team: 'acme', ...fields }))
      for (const one of [value].flat()) body.append(name, one)
    const answer = await account.post(handler, body)
    const flash = await account.flashOf(answer, form)
    return {
      flash,
      result: flash?.done ?? flash?.problems.map(({ field = '', code }) => `${field} ${code}`.trim()).join(', '),
      to: answer.headers.get('location'),
    }
  }
  const register = async (account: Account, changes: Fields = {}) => {
    const sent = await send(account, answerAppRegistration, { ...webApp, ...changes }, 'new-app')
    return { ...sent, id: /apps\/([^/]+)/.exec(sent.to ?? '')?.[1] ?? '' }
  }
  const found = async (id: string) => {
    const app = await postern.context.teamApps.find(id)
    if (!app) throw new Error(`There is no app ${id}.`)
    return app
  }
  const change = async (account: Account, id: string, fields: Fields) =>
    send(account, answerAppChange, { app: id, version: (await found(id)).version, ...fields }, 'app')
  return { member, send, register, found, change }
}
