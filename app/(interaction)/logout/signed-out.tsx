import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'

/** Says that this browser has no signed-in account, and which access apps may still have. */
export function SignedOut({ service }: { service: string }) {
  const t = useTranslations('logout.done')
  return (
    <>
      <div role="status">
        <InteractionHeading title={t('title')}>
          <p>{t('what', { service })}</p>
        </InteractionHeading>
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
