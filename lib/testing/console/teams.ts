import { answerNewTeam } from '#lib/console/team/create-team'
import { answerInvite, answerJoin } from '#lib/console/team/invitations'
import { openAccount } from '#lib/testing/browser/account'
import type { Postern } from '#lib/testing/process/postern'

export type Account = Awaited<ReturnType<typeof openAccount>>

/** Returns functions that make people and teams by the forms of the console. */
export function openTeams(postern: Postern) {
  let last = 0
  let made = 0
  /** Opens the account of a new person. */
  const newcomer = async (row: { disabledAt?: Date; deleteAfter?: Date } = {}) => {
    last += 1
    const username = `dev${last}`
    const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
    const now = postern.context.now()
    const times = { profileUpdatedAt: now, createdAt: now }
    await postern.context.database.prisma.person.create({
      data: { id: username, username, ...texts, ...times, ...row },
    })
    return { username, ...(await openAccount(postern, username)) }
  }
  /** Creates a team; returns its id, or the codes of the problems. */
  const create = async (owner: Account, name = `Team ${String.fromCodePoint(0x4e00 + ++made)}`) => {
    const answer = await owner.fill(answerNewTeam, { name })
    const id = /teams\/([^/?]+)$/.exec(answer.headers.get('location') ?? '')?.[1]
    return { id: id ?? '', problems: (await owner.flashOf(answer, 'new-team'))?.problems.map(({ code }) => code) }
  }
  /** Returns the message or the problems that an answer leaves for the page. */
  const result = async (account: Account, answer: Response, form: string) => {
    const flash = await account.flashOf(answer, form)
    return flash?.done ?? flash?.problems.map(({ code }) => code).join(' ')
  }
  /** Makes an invitation; returns the key of its link, or the code of the result. */
  const invite = async (owner: Account, team: string, role: string, address = '') => {
    const answer = await owner.fill(answerInvite, { team, role, address })
    const flash = await owner.flashOf(answer, 'invite')
    return new URL(flash?.kept.link ?? 'http://x').searchParams.get('key') ?? flash?.problems[0]?.code ?? flash?.done
  }
  const join = async (account: Account, key: string | undefined) =>
    result(account, await account.fill(answerJoin, { key: key ?? '' }), 'join')
  return {
    newcomer,
    create,
    result,
    invite,
    join,
    /** Makes a team of an owner and one member with this role. */
    teamWith: async (role: string) => {
      const [owner, member] = [await newcomer(), await newcomer()]
      const { id } = await create(owner)
      await join(member, await invite(owner, id, role))
      return { owner, member, id }
    },
    roleOf: async (team: string, account: Account) =>
      (await postern.context.teams.findTeam(team, account.personId))?.role,
    /** Adds an app to a team, as an operator does. */
    addApp: async (teamId: string, id: string, disabledAt: Date | null = null) => {
      const now = postern.context.now()
      const texts = { requiredScopes: '', email: 'none', homepage: '', policyUri: '', tosUri: '' }
      const rest = { kind: 'public', profile: 'standard', redirectUris: '[]', scopes: 'openid', ...texts }
      await postern.context.database.prisma.app.create({
        data: { id, teamId, name: `App ${id}`, ...rest, createdAt: now, updatedAt: now, disabledAt },
      })
    },
  }
}
