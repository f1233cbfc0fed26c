import { answerAppOffer, answerOfferWithdrawal } from '#lib/console/transfer/offer-app'
import { answerOfferAcceptance, answerOfferRefusal } from '#lib/console/transfer/receive-app'
import { openContext } from '#lib/server/compose/context'
import { settleTransfers } from '#lib/server/jobs/settle-transfers'
import { readConfig } from '#lib/server/settings/config'
import { openAccount } from '#lib/testing/browser/account'
import type { Postern } from '#lib/testing/process/postern'

export type Account = Awaited<ReturnType<typeof openAccount>>
type Handler = Parameters<Account['fill']>[0]

/** Returns functions that offer and accept apps by the forms of the console. */
export function openTransfers(postern: Postern) {
  const { person, member, app } = rowsOf(postern)
  const send = async (account: Account, handler: Handler, fields: Record<string, string>, form: string) => {
    const answer = await account.fill(handler, fields)
    const flash = await account.flashOf(answer, form)
    return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
  }
  const offer = (account: Account, team: string, appId: string, to: string) =>
    send(account, answerAppOffer, { team, app: appId, to }, 'transfer')
  const openOffer = async (appId: string) =>
    (await postern.context.transfers.findOpen(appId, postern.context.now()))?.id ?? ''
  const accept = (account: Account, team: string, id: string) =>
    send(account, answerOfferAcceptance, { team, offer: id }, 'offer')
  /** Runs the job, as a process does some time after an acceptance. */
  const settle = async () => {
    postern.later(21)
    await settleTransfers(postern.context.settling, postern.context.now())
  }
  return {
    person,
    member,
    app,
    offer,
    openOffer,
    accept,
    withdraw: (account: Account, team: string, id: string) =>
      send(account, answerOfferWithdrawal, { team, offer: id }, 'transfer'),
    decline: (account: Account, team: string, id: string) =>
      send(account, answerOfferRefusal, { team, offer: id }, 'offer'),
    settle,
    /** Moves an app from one team to another, up to the end of the job. */
    move: async (giver: Account, from: string, receiver: Account, to: string, appId: string) => {
      await offer(giver, from, appId, to)
      const accepted = await accept(receiver, to, await openOffer(appId))
      await settle()
      return accepted
    },
  }
}

/** Returns functions that make people, members and apps. */
function rowsOf(postern: Postern) {
  let last = 0
  const prisma = () => postern.context.database.prisma
  /** Makes a person. */
  const person = async (username: string) => {
    const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
    const times = { profileUpdatedAt: postern.context.now(), createdAt: postern.context.now() }
    await prisma().person.create({ data: { id: username, username, ...texts, ...times } })
    return username
  }
  /** Opens the account of a new member of a team; makes the team if there is none. */
  const member = async (teamId: string, role = 'owner') => {
    last += 1
    const [username, now] = [await person(`member${last}`), postern.context.now()]
    const team = { id: teamId, name: `Team ${teamId}`, createdAt: now, updatedAt: now }
    await prisma().team.upsert({ where: { id: teamId }, create: team, update: {} })
    await prisma().member.create({ data: { teamId, personId: username, role, createdAt: now } })
    return openAccount(postern, username)
  }
  /** Makes an app of a team, with the redirect URI of the tests. */
  const app = async (teamId: string) => {
    last += 1
    const [id, now] = [`app-${last}`, postern.context.now()]
    const { secrets: _, ...row } = await prisma().app.findUniqueOrThrow({
      where: { id: 'acme-web' },
      include: { secrets: true },
    })
    const open = { disabledAt: null, disabledBy: null, removeAfter: null, teamSince: null }
    await prisma().app.create({ data: { ...row, ...open, id, teamId, name: `App ${last}`, createdAt: now } })
    return id
  }
  return { person, member, app }
}

/** Opens another process on the same database, which has cached nothing. */
export const otherNode = ({ settings, context: { now, random } }: Postern) =>
  openContext(readConfig(settings), { now, random })
