import { useTranslations } from 'next-intl'
import { Actions } from '#app/_ui/actions.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { Notice } from '#app/_ui/notice.tsx'

/** The result of the undo, with the steps that take the account back from someone who changed the address. */
export function UndoneChange() {
  const t = useTranslations('undoEmail.done')
  return (
    <>
      <InteractionHeading title={t('title')} />
      <Notice kind="success" title={t('what')} live />
      <p>{t('next')}</p>
      <Actions stacked>
        <ButtonLink href="/recover?to=/account/security" wide>
          {t('password')}
        </ButtonLink>
        <ButtonLink href="/account/security" look="secondary" wide>
          {t('security')}
        </ButtonLink>
      </Actions>
    </>
  )
}
