import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { invitationDays } from '#lib/console/team/invitations'

/** Explains why an invitation cannot be used. */
export function InvitationOver({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTranslations('console')
  return (
    <>
      <InteractionHeading title={t('join.over')}>
        <p>{t('join.overWhy', { days: invitationDays })}</p>
      </InteractionHeading>
      <p>{t('join.overNext')}</p>
      <Actions>
        <ButtonLink href={isSignedIn ? '/account' : '/'} look="secondary">
          {t(isSignedIn ? 'yourAccount' : 'join.home')}
        </ButtonLink>
      </Actions>
    </>
  )
}
