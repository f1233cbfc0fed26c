import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { isLeaving } from '#lib/account/data/deletion'
import { foldAddress } from '#lib/account/person/login-name'
import type { Acted, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { consoleHome, teamPage } from '#lib/console/paths'
import { type Role, roles } from '#lib/console/roles'
import { actOf, answerTeamForm, type TeamSubmission } from '#lib/console/team-form'
import { sha256 } from '#lib/crypto/hash'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import { chooseAmong } from '#lib/text/messages'

export const invitationDays = 7
/** The most open invitations of a team. */
const mostOpen = 50

/** Returns the page of the invitation with this key. */
const joinLink = (key: string): string => pathWith(`${consoleHome}/join`, { key })

/** Returns the stored id of the invitation with this key. */
export const invitationOf = (key: string): string => sha256(key)

const membersPage = (teamId: string) => teamPage(teamId, 'members')

/** POST /console/team/invite: makes an invitation, sent by letter or shown once as a link. */
export const answerInvite = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    {
      form: 'invite',
      page: membersPage,
      action: 'members.invite',
      fresh: true,
      keeps: { address: 'address', role: 'role' },
    },
    sendInvitation,
  )

/** POST /console/team/withdraw-invitation: withdraws an invitation. */
export const answerInvitationWithdrawal = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    { form: 'members', page: membersPage, action: 'members.invite' },
    async (submission) => {
      // A double submit withdraws nothing the second time, and shows the same result.
      await withdrawInvitation(submission.context, submission, submission.form.get('invitation').slice(0, 64))
      return { done: 'withdrawn' }
    },
  )

/** Withdraws an invitation; returns whether it was open. */
export const withdrawInvitation = (context: ConsoleContext, by: Author, id: string): Promise<boolean> =>
  context.teams.withdraw(by.team.id, id, actOf({ context, ...by }, 'invitation_withdrawn'))

/** POST /console/join/submit: makes the person a member of the team that an invitation names. */
export const answerJoin = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'join', page: (form) => joinLink(keyIn(form)) }, join)

async function sendInvitation(submission: TeamSubmission): Promise<Outcome> {
  const { context, form } = submission
  const address = foldAddress(form.get('address').trim().slice(0, 300))
  const role = roles.find((one) => one === form.get('role'))
  const kept = { address, role: role ?? '' }
  const invited = await inviteMember(context, submission, { address, role })
  if ('problems' in invited) return { ...invited, kept }
  return invited.link === undefined ? { done: invited.done } : { done: invited.done, kept: { link: invited.link } }
}

type NewInvitation = { address: string; role: Role | undefined }
type Invited = { id: string; link: string | undefined; expiresAt: Date }

/** Invites a person by letter; without an address, makes a link that its author passes on. */
export async function inviteMember(
  context: ConsoleContext,
  by: Author,
  { address, role }: NewInvitation,
): Promise<Acted<Invited>> {
  const { team, person } = by
  const problems = [
    ...(address !== '' && !isAddress(address) ? [{ field: 'address', code: 'address_malformed' }] : []),
    ...(role ? [] : [{ field: 'role', code: 'role_unknown' }]),
  ]
  if (problems.length > 0 || !role) return { problems }
  const wait = address === '' ? 0 : await context.teamLimits.letters.take(person.id, address)
  if (wait > 0) return { problems: [{ code: 'invitations_wait', wait }] }
  const key = context.random(32).toString('base64url')
  const now = context.now()
  const expiresAt = new Date(now.getTime() + invitationDays * 86_400_000)
  const invitation = { id: invitationOf(key), role, address, createdAt: now, expiresAt }
  const act = actOf({ context, ...by }, 'member_invited', { target: address, after: { role } })
  if ((await context.teams.invite(team.id, invitation, mostOpen, act)) === 'enough')
    return { problems: [{ code: 'invitations_enough' }] }
  const link = `${context.config.accountUrl}${joinLink(key)}`
  const made = { id: invitation.id, expiresAt }
  if (address === '') return { done: 'link', ...made, link }
  void context.letters.teamInvitation({
    to: address,
    locale: chooseAmong(context.config.letterLanguages, person.pageLanguage, person.locale),
    team: team.name,
    link,
    days: invitationDays,
  })
  return { done: 'invited', ...made, link: undefined }
}

const isAddress = (text: string): boolean => text.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text)

async function join(submission: Submission<ConsoleContext>): Promise<Outcome> {
  const { context, form, person } = submission
  if (isLeaving(person)) return { problems: [{ code: 'leaving' }] }
  const act = actOf(submission, 'member_joined', { target: person.username })
  const joined = await context.teams.join(invitationOf(keyIn(form)), person.id, act)
  // A double submit finds the invitation used up, and the membership that it gave.
  const teamId = joined?.team.id ?? form.get('team').slice(0, 64)
  if (!joined && !(await context.teams.findTeam(teamId, person.id))) return { problems: [{ code: 'invitation_over' }] }
  return { done: 'joined', to: teamPage(teamId) }
}

const keyIn = (form: PageForm): string => form.get('key').slice(0, 100)
