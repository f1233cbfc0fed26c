import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { oneOf, type Search } from '#app/_page/interaction-page.ts'
import { pathHere } from '#app/_page/page-context.ts'
import { readFlashHere, readVisitor } from '#app/_page/visitor.ts'
import { Avatar } from '#app/_ui/avatar.tsx'
import { inOneLine } from '#app/_ui/in-one-line.ts'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { type Role, roles } from '#lib/console/roles'
import { invitationOf } from '#lib/console/team/invitations'
import { AlreadyMember } from './already-member.tsx'
import { InvitationOver } from './invitation-over.tsx'
import { JoinForm } from './join-form.tsx'
import { SignInToJoin } from './sign-in-to-join.tsx'

/** Shows the team and the role of an invitation, and asks the person to join. */
export default async function JoinPage({ searchParams }: { searchParams: Search }) {
  const { context, current } = await readVisitor()
  const key = oneOf((await searchParams).key).slice(0, 100)
  const invitation = await context.teams.findInvitation(invitationOf(key), context.now())
  if (!invitation) return <InvitationOver isSignedIn={current !== undefined} />
  const { team, role } = invitation
  const [path, t] = await Promise.all([pathHere(), getTranslations('console')])
  const member = current && (await context.teams.findTeam(team.id, current.person.id))
  if (member && isAtLeast(member.role, role)) return <AlreadyMember team={member} />
  const flash = await readFlashHere('join')
  return (
    <>
      <InteractionHeading
        above={<Avatar kind="app" name={team.name} size="l" />}
        title={t('join.heading', { team: inOneLine(team.name) })}
      >
        <p>{t('join.what', { role: t(`roles.${role}`) })}</p>
        <p>{t(`roleWhat.${role}`)}</p>
      </InteractionHeading>
      {current ? (
        <JoinForm
          person={current.person}
          issuer={context.config.issuer}
          invitation={{ key, team: team.id }}
          path={path}
          problems={flash?.problems ?? []}
        />
      ) : (
        <SignInToJoin path={path} offersSignUp={context.config.signup !== 'off'} />
      )}
    </>
  )
}

const isAtLeast = (had: Role, role: Role) => roles.indexOf(had) >= roles.indexOf(role)

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('console.join'))('title') }
}
