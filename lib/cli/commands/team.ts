import type { DeletionStore } from '#lib/account/data/deletion'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { describeRecord } from '#lib/cli/describe-record'
import { withDatabase } from '#lib/cli/open'
import { operatorAct } from '#lib/cli/operator-act'
import { table } from '#lib/cli/table'
import type { ActKind } from '#lib/console/audit/act'
import { type Role, roles } from '#lib/console/roles'
import type { TeamRecord } from '#lib/console/team/team-records'
import { memberStore } from '#lib/db/console/member-store'
import { teamRecords } from '#lib/db/console/team-records'
import type { Prisma } from '#lib/db/engine/client'
import { didYouMean } from '#lib/text/did-you-mean'
import { findPerson } from './find-or-refuse.ts'

/** Lists and shows teams, and changes their members. */
export const teamCommands: Command[] = [
  {
    usage: 'team list',
    summary: 'List the teams',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const teams = await teamRecords(prisma).list(call.now)
        const rows = teams.map((team) => [
          team.id,
          team.name,
          String(team.apps),
          String(team.members.length),
          team.members.flatMap(({ username, role }) => (role === 'owner' ? username : [])).join(' '),
        ])
        return { ok: true, value: teams.map(wire), text: table(['id', 'name', 'apps', 'members', 'owners'], rows) }
      }),
  },
  {
    usage: 'team show TEAM',
    summary: 'Show one team: its members with their roles, and counts of apps, APIs and open invitations',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const value = wire(await findTeam(prisma, call))
        return { ok: true, value, text: describeRecord(value) }
      }),
  },
  {
    usage: 'team member TEAM USERNAME ROLE',
    summary: `Make a person a member of a team, or change the role: ${roles.join(', ')}; none removes the member`,
    run: setMember,
  },
]

/** Tells the operator which teams lose their only owner with a person. */
export async function noteTeamsInNeed(
  { say }: Call,
  { teamsInNeed }: Pick<DeletionStore, 'teamsInNeed'>,
  { id, username }: { id: string; username: string },
): Promise<void> {
  for (const team of await teamsInNeed(id))
    say(`${username} is the only owner of the team ${team.name}. ${anotherOwner(team.id)}`)
}

const anotherOwner = (teamId: string) => `To make another person an owner: cli team member ${teamId} USERNAME owner`

function setMember(call: Call): Promise<Answer> {
  const wanted = readRole(call.args[2] ?? '')
  return withDatabase(call, async ({ prisma }) => {
    const team = await findTeam(prisma, call)
    const { id: personId, username } = await findPerson(prisma, { args: call.args.slice(1), now: call.now })
    const members = memberStore(prisma)
    const before = team.members.find((member) => member.username === username)?.role
    const act = (kind: ActKind) => operatorAct(call, kind, username)
    if (!before && wanted) await members.addMember(team.id, personId, wanted, act('member_added'))
    const kind = wanted ? 'role_changed' : 'member_removed'
    if (before && (await members.setRole(team.id, personId, wanted, act(kind))) === 'last owner')
      throw new Refusal(`${username} is the only owner of ${team.name}. ${anotherOwner(team.id)}`)
    const text = wanted ? `${username} is ${wanted} of ${team.name}.` : `${username} is not a member of ${team.name}.`
    return { ok: true, value: { team: team.id, username, role: wanted ?? null }, text }
  })
}

/** Returns the wanted role; undefined for `none`. */
function readRole(text: string): Role | undefined {
  if (text === 'none') return undefined
  const role = roles.find((one) => one === text)
  if (role) return role
  throw new Refusal(`The role must be ${roles.join(', ')} or none.${didYouMean(text, [...roles, 'none'])}`)
}

async function findTeam(prisma: Prisma, { args, now }: Call): Promise<TeamRecord> {
  const id = args[0] ?? ''
  const store = teamRecords(prisma)
  const team = await store.find(id, now)
  if (team) return team
  const hint = didYouMean(id, await store.ids())
  throw new Refusal(`There is no team ${JSON.stringify(id.slice(0, 100))}.${hint} See: cli team list`)
}

const wire = ({ createdAt, closedAt, members, ...team }: TeamRecord) => ({
  ...team,
  created_at: createdAt,
  closed_at: closedAt,
  members: members.map(({ username, role }) => ({ username, role })),
})
