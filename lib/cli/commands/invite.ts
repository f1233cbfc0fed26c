import { invitationHash, makeInvitation } from '#lib/account/person/invitation'
import { type Command, Refusal } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { recorded } from '#lib/cli/recorded'
import { newTeamPage } from '#lib/console/team/create-team'
import { invitations } from '#lib/db/operators/invitations'

/** Creates invitations, for SIGNUP=invite and TEAMS=invite. */
export const inviteCommands: Command[] = [
  {
    usage: 'invite create',
    summary:
      'Make a code that lets one person sign up, or with --team make a team, shown once; --note says for whom, --days for how long (14)',
    options: { note: { type: 'string' }, days: { type: 'string' }, team: { type: 'boolean' } },
    run: (call) =>
      withDatabase(call, async ({ prisma }, config) => {
        const days = readDays(call.flags.days)
        const note = String(call.flags.note ?? '')
        if (note.length > 200 || /\p{Cc}/u.test(note))
          throw new Refusal('--note must be one line of at most 200 characters.')
        const code = makeInvitation(call.random)
        const expiresAt = new Date(call.now.getTime() + days * 86_400_000)
        const forTeam = call.flags.team === true
        const purpose = forTeam ? 'team' : 'account'
        await invitations(prisma).make({ hash: invitationHash(code), note, expiresAt, purpose }, recorded(call))
        const [setting, value] = forTeam ? ['TEAMS', config.teams] : ['SIGNUP', config.signup]
        if (value !== 'invite') call.say(`${setting} is ${value}: the code is asked for only with ${setting}=invite.`)
        const url = `${config.accountUrl}${forTeam ? newTeamPage : '/signup'}`
        return {
          ok: true,
          value: { code, url, note, expires_at: expiresAt },
          text: `One person can ${forTeam ? 'make a team' : 'sign up'} at ${url} until ${expiresAt.toISOString()}.`,
          secrets: [{ title: 'The invitation. It is shown once; its hash is stored:', value: code }],
        }
      }),
  },
]

function readDays(given: unknown): number {
  const days = Number(given ?? 14)
  if (!Number.isInteger(days) || days < 1 || days > 365)
    throw new Refusal('--days must be a whole number from 1 to 365.')
  return days
}
