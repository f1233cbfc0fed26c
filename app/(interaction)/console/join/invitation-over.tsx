import { useTranslations } from 'next-intl'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { ErrorCard } from '#app/_ui/error-card.tsx'
import { invitationDays } from '#lib/console/team/invitations'

/** Explains why an invitation cannot be used. */
export function InvitationOver({ isSignedIn }: { isSignedIn: boolean }) {
  const t = useTranslations('console')
  const leave = (
    <ButtonLink href={isSignedIn ? '/account' : '/'} look="secondary">
      {t(isSignedIn ? 'yourAccount' : 'join.home')}
    </ButtonLink>
  )
  return (
    <ErrorCard title={t('join.over')} next={t('join.overNext')} actions={leave}>
      <p>{t('join.overWhy', { days: invitationDays })}</p>
    </ErrorCard>
  )
}
