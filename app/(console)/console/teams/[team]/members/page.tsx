import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { readTeamPage, type TeamParams, teamTitle } from '#app/_page/console-page.ts'
import { PageHeading } from '#app/_ui/page-heading.tsx'
import { ConsoleResult } from '#app/(console)/console/console-result.tsx'
import { isFresh } from '#lib/account/signed-in/step-up'
import { InvitationList } from './invitation-list.tsx'
import { InviteForm } from './invite-form.tsx'
import { MemberList } from './member-list.tsx'
import { NewLink } from './new-link.tsx'

/** The members of a team and its open invitations, with the forms of an owner. */
export default async function MembersPage({ params }: { params: TeamParams }) {
  const { context, person, session, team, may, flashOf } = await readTeamPage(params, { action: 'members.read' })
  const [members, invitations, alone, changed, invited, t] = await Promise.all([
    context.teams.listMembers(team.id),
    may('members.invite') ? context.teams.listInvitations(team.id, context.now()) : [],
    context.teams.soleOwnerOf(person.id),
    flashOf('members'),
    flashOf('invite'),
    getTranslations('console.members'),
  ])
  const { link } = invited.kept
  return (
    <>
      <PageHeading title={t('title')}>{t(may('members.change') ? 'ledeOwner' : 'lede')}</PageHeading>
      <ConsoleResult flash={changed.done || changed.problems.length > 0 ? changed : invited} />
      {invited.done === 'link' && link && <NewLink link={link} />}
      <MemberList
        team={team.id}
        members={members}
        own={person.id}
        mayChange={may('members.change')}
        isOnlyOwner={alone.some(({ id }) => id === team.id)}
        kept={changed.kept}
      />
      {may('members.invite') && (
        <InviteForm team={team.id} flash={invited} isFresh={isFresh({ person, session }, context.now())} />
      )}
      {invitations.length > 0 && <InvitationList team={team.id} invitations={invitations} />}
    </>
  )
}

export async function generateMetadata({ params }: { params: TeamParams }): Promise<Metadata> {
  return { title: await teamTitle(params, (await getTranslations('console.members'))('title')) }
}
