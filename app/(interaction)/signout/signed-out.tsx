import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { JourneyHeading } from '#app/_ui/journey-heading.tsx'

/** Nobody is signed in in this browser (any more), and what apps may still hold. */
export function SignedOut({ service }: { service: string }) {
  const t = useTranslations('signout.done')
  return (
    <>
      <div role="status">
        <JourneyHeading title={t('title')}>
          <p>{t('what', { service })}</p>
        </JourneyHeading>
      </div>
      <p>{t('stays')}</p>
      <Actions>
        <ButtonLink href="/" look="secondary">
          {t('home')}
        </ButtonLink>
      </Actions>
    </>
  )
}
