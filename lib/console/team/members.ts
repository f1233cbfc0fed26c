import type { Acted, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { consoleHome, teamPage } from '#lib/console/paths'
import { type Role, roles } from '#lib/console/roles'
import { actOf, answerTeamForm } from '#lib/console/team-form'

const membersPage = (teamId: string) => teamPage(teamId, 'members')

/** POST /console/team/role: gives a member another role, or removes the member (`role` is `none`). */
export const answerMemberRole = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    {
      form: 'members',
      page: membersPage,
      action: 'members.change',
      fresh: true,
      keeps: { member: 'member', role: 'role' },
    },
    async (submission) => {
      const { context, form } = submission
      const [username, role] = [form.get('member').slice(0, 64), form.get('role')]
      if (role !== 'none' && !isRole(role)) return { problems: [{ code: 'role_unknown' }] }
      return changeMember(context, submission, { username, role })
    },
  )

/** POST /console/team/leave: ends the person's own membership. */
export const answerTeamLeave = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { form: 'members', page: membersPage, action: 'team.leave' }, (submission) =>
    leaveTeam(submission.context, submission),
  )

/** Gives a member another role, or removes the member (`none`). */
export async function changeMember(
  context: ConsoleContext,
  by: Author,
  { username, role }: { username: string; role: Role | 'none' },
): Promise<Acted> {
  const member = (await context.teams.listMembers(by.team.id)).find((one) => one.username === username)
  if (!member) return { problems: [{ code: 'member_gone' }] }
  const kind = role === 'none' ? 'member_removed' : 'role_changed'
  const act = actOf({ context, ...by }, kind, { target: username })
  const changed = await context.teams.setRole(by.team.id, member.personId, role === 'none' ? undefined : role, act)
  if (changed === 'changed') return { done: role === 'none' ? 'removed' : 'role' }
  return { problems: [{ code: changed === 'unknown' ? 'member_gone' : 'last_owner' }] }
}

async function leaveTeam(context: ConsoleContext, by: Author): Promise<Acted<{ to?: string }>> {
  const { person, team } = by
  const act = actOf({ context, ...by }, 'member_left', { target: person.username })
  const left = await context.teams.setRole(team.id, person.id, undefined, act)
  // A double submit finds no membership any more, and shows the same page.
  return left === 'last owner' ? { problems: [{ code: 'last_owner' }] } : { done: 'left', to: consoleHome }
}

const isRole = (text: string): text is Role => roles.some((role) => role === text)
