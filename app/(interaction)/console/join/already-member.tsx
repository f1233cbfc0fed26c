import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { teamPage } from '#lib/console/paths'
import type { OwnTeam } from '#lib/console/team/store'

/** Tells a member that the invitation gives nothing more, and stays unused. */
export function AlreadyMember({ team: { id, name, role } }: { team: OwnTeam }) {
  const t = useTranslations('console')
  return (
    <>
      <InteractionHeading title={t('join.member', { team: name })}>
        <p>{t('join.memberWhat', { role: t(`roles.${role}`) })}</p>
      </InteractionHeading>
      <Actions>
        <ButtonLink href={teamPage(id)}>{t('join.open')}</ButtonLink>
      </Actions>
    </>
  )
}
